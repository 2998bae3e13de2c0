import { formatJson } from "../../foundation/json/json.ts";
import type { Fake } from "./faker.ts";
import { type FixtureSizes, planFixture } from "./fixture-plan.ts";
import { createRowMaker } from "./fixture-rows.ts";
import { type FixturePart, ledgerParts } from "./ledger-fixture.ts";
import type { Tally } from "./make-valid.ts";
import { registryParts } from "./registry-fixture.ts";
import { type ScenarioSources, scenarioDocument } from "./scenario-document.ts";

/** Options of generated fixtures. */
interface FixtureOptions {
  readonly seed: number;
  readonly sizes: FixtureSizes;
  readonly sources: ScenarioSources;
  /** The command that generated the scenario, for its first comment. */
  readonly origin: string;
}

/** A piece of a file; a row has the name of its list. */
export interface FilePiece {
  readonly text: string;
  readonly list: string | undefined;
}

/** Files for a seed and sizes, always with the same bytes. Their pieces are generated lazily. */
export interface GeneratedFixtures {
  readonly files: readonly { readonly name: string; readonly pieces: Iterable<FilePiece> }[];
  /** Number of generated values by result, so far. */
  tally(): Tally;
}

/** A ledger fixture, a registry fixture and a scenario that starts from both. */
export function generateFixtures(fake: Fake, { seed, sizes, sources, origin }: FixtureOptions): GeneratedFixtures {
  const plan = planFixture(seed, sizes);
  const [ledger, registry] = [createRowMaker("ledger", fake, seed), createRowMaker("registry", fake, seed)];
  return {
    files: [
      { name: "ledger.json", pieces: jsonPieces(ledgerParts(plan, ledger)) },
      { name: "registry.json", pieces: jsonPieces(registryParts(plan, registry)) },
      { name: "scenario.arazzo.yaml", pieces: [{ text: scenarioDocument(plan, sources, origin), list: undefined }] },
    ],
    tally: () => sumOf(ledger.tally, registry.tally),
  };
}

function sumOf(left: Tally, right: Tally): Tally {
  return {
    valid: left.valid + right.valid,
    repaired: left.repaired + right.repaired,
    dropped: left.dropped + right.dropped,
  };
}

/** JSON text with a row on each line, which an editor can show and a tool can cut. */
function* jsonPieces(parts: readonly FixturePart[]): Iterable<FilePiece> {
  let between = "{";
  for (const part of parts) {
    yield { text: `${between}\n${JSON.stringify(part.name)}: `, list: undefined };
    between = ",";
    if (part.type === "member") yield { text: formatJson(part.value), list: undefined };
    else yield* listPieces(part);
  }
  yield { text: "\n}\n", list: undefined };
}

function* listPieces({ name, rows }: Extract<FixturePart, { type: "list" }>): Iterable<FilePiece> {
  let before = "[\n";
  for (const row of rows) {
    yield { text: `${before}${formatJson(row)}`, list: name };
    before = ",\n";
  }
  yield { text: before === "[\n" ? "[]" : "\n]", list: undefined };
}
