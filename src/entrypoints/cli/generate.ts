import { join } from "node:path";
import { advise } from "../../foundation/text/suggestion.ts";
import { loadFaker } from "../../scenarios/generation/faker.ts";
import { type FixtureSizes, sizeLimits } from "../../scenarios/generation/fixture-plan.ts";
import {
  type FilePiece,
  type GeneratedFixtures,
  generateFixtures,
} from "../../scenarios/generation/generate-fixtures.ts";
import { type NamedFile, namedFile } from "../programs/files/named-file.ts";
import { WholeFile } from "../programs/files/whole-file.ts";
import { stopRequestOf } from "../programs/stop-request.ts";
import { exitCodes, UserError } from "../programs/user-error.ts";
import { checkNew, forceFlag } from "./flags/force-flag.ts";
import { numbersFlag, numbersOf } from "./flags/named-numbers.ts";
import { seedMax, wholeNumber } from "./flags/whole-number.ts";
import { type Command, type Environment, type NamedNumber, type Options, textFlag } from "./options.ts";
import { descriptionPath, outputFolder } from "./output-folder.ts";

/** Kinds of files that can be generated. */
const kinds = ["fixtures", "types"] as const;

const seedDefault = 7;
const sizesDefault: FixtureSizes = { users: 1000, parties: 200, packages: 12, synchronizers: 2, identityProviders: 3 };

/** Singular and plural for each size. */
const nouns = {
  users: ["user", "users"],
  parties: ["party", "parties"],
  packages: ["package", "packages"],
  synchronizers: ["synchronizer", "synchronizers"],
  identityProviders: ["identity provider", "identity providers"],
} as const;

const sizes = ["users", "parties", "packages", "synchronizers", "identityProviders"] as const;

const counts: readonly NamedNumber[] = sizes.map((name) => {
  const [min, max] = sizeLimits[name];
  return { name, byDefault: sizesDefault[name], min, max, quantity: nouns[name][1] };
});

const countFlag = numbersFlag(
  "count",
  `number of ${counts.map(({ name, min, max, byDefault }) => `${name}, ${min} to ${max} (default ${byDefault})`).join("; ")}`,
  counts,
);

export const generate: Command = {
  name: "generate",
  usage:
    "generate fixtures [--count NAME=VALUE] [--seed N] [--out FOLDER]\ngenerate fixtures FILE.dar [--out FOLDER]\ngenerate types FILE.dar… [--out FOLDER]",
  flags: [
    countFlag,
    textFlag("seed", "N", `seed of names and rights (default ${seedDefault})`),
    textFlag("out", "FOLDER", "write the files to this folder (default: generated)"),
    forceFlag,
  ],
  examples: [
    "understudy generate fixtures --count users=100000 --count parties=5000 --out big",
    "understudy generate types my.dar",
  ],
  run: runGenerate,
};

async function runGenerate(options: Options, environment: Environment): Promise<number> {
  const [word = "", ...dars] = options.positionals;
  const kind = kinds.find((known) => known === word);
  if (kind === undefined) {
    const problem =
      word === ""
        ? "generate needs a kind of files: understudy generate fixtures"
        : `There is no kind ${JSON.stringify(word)}. ${advise(word, kinds)}`;
    throw new UserError(problem);
  }
  if (kind === "types" || dars.length > 0)
    return (await import("./generate-from-dar.ts")).generateFromDar(kind, dars, options, environment);
  const seed = wholeNumber(options, "seed", { byDefault: seedDefault, min: 0, max: seedMax });
  const requested = sizesRequested(options);
  const folder = outputFolder(options);
  const fixtures = generateFixtures((await loadFaker())(), {
    seed,
    sizes: requested,
    sources: {
      ledger: descriptionPath(folder, "ledger-json-api"),
      registry: descriptionPath(folder, "token-registry"),
    },
    origin: originOf(seed, requested),
  });
  const targets = fixtures.files.map(({ name }) => namedFile(join(folder.name, name), options));
  for (const target of targets) checkNew(target, [], options);
  if (await isWritten({ fixtures, targets, requested, isForced: options.flag("force") }, environment)) {
    report(
      fixtures,
      targets.map(({ name }) => name),
      requested,
      options,
      environment,
    );
    return exitCodes.fine;
  }
  environment.printError("Interrupted: no file is written.");
  return exitCodes.interrupted;
}

function sizesRequested(options: Options): FixtureSizes {
  return { ...sizesDefault, ...Object.fromEntries(numbersOf(options, countFlag)) };
}

function originOf(seed: number, requested: FixtureSizes): string {
  const flags = sizes.map((size) => `--count ${size}=${requested[size]}`);
  return `understudy generate fixtures ${flags.join(" ")} --seed ${seed}`;
}

/** Number of rows between two updates of the progress. */
const progressRows = 2000;

interface FixtureOutput {
  readonly fixtures: GeneratedFixtures;
  readonly targets: readonly NamedFile[];
  readonly requested: FixtureSizes;
  readonly isForced: boolean;
}

/** Writes all files or none. Resolves to false if the user interrupted it. */
async function isWritten(
  { fixtures: { files }, targets, requested, isForced }: FixtureOutput,
  environment: Environment,
): Promise<boolean> {
  const stop = stopRequestOf(environment);
  const written: WholeFile[] = [];
  try {
    for (const [index, { pieces }] of files.entries()) {
      const target = targets[index];
      if (target === undefined) throw new Error("invariant: each file has a target");
      const file = new WholeFile(target, { isReplacing: isForced });
      written.push(file);
      let rows = 0;
      const onRow = (list: string) => {
        rows += 1;
        if (rows % progressRows === 0) environment.progress(progressText(list, rows, requested));
      };
      for (const text of inBulk(pieces, onRow)) {
        file.write(text);
        await new Promise((done) => setImmediate(done));
        if (stop.isRequested) return false;
      }
    }
    for (const file of written) file.finish();
    return true;
  } finally {
    for (const file of written) file[Symbol.dispose]();
  }
}

const bulkLength = 1_000_000;

/** Joins many short texts into a few long ones, which are faster to write. */
function* inBulk(pieces: Iterable<FilePiece>, onRow: (list: string) => void): Iterable<string> {
  let bulk = "";
  for (const { text, list } of pieces) {
    if (list !== undefined) onRow(list);
    bulk += text;
    if (bulk.length < bulkLength) continue;
    yield bulk;
    bulk = "";
  }
  yield bulk;
}

function progressText(list: string, rows: number, { users, parties }: FixtureSizes): string {
  return `${list}: entry ${rows}, of ${users} users and ${parties} parties`;
}

function report(
  fixtures: GeneratedFixtures,
  targets: readonly string[],
  requested: FixtureSizes,
  options: Options,
  environment: Environment,
): void {
  const tally = fixtures.tally();
  if (options.flag("json")) {
    environment.print(JSON.stringify({ event: "generated", written: targets, sizes: requested, values: tally }));
    return;
  }
  const counts = sizes.map((size) => `${requested[size]} ${nouns[size][requested[size] === 1 ? 0 : 1]}`);
  environment.print(`wrote ${targets.join(", ")}`);
  environment.print(counts.join(", "));
  environment.print(
    `${tally.valid + tally.repaired + tally.dropped} entries generated: ${tally.valid} valid, ${tally.repaired} corrected, ${tally.dropped} reduced to their required members`,
  );
  environment.print(`understudy serve ${targets.at(-1)} serves them.`);
}
