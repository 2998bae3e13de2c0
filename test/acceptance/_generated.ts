import { dirname, join } from "node:path";
import type { Scenario, ScenarioOverrides } from "../../src/scenarios/files/load-scenario.ts";
import { loadFaker } from "../../src/scenarios/generation/faker.ts";
import type { FixtureSizes } from "../../src/scenarios/generation/fixture-plan.ts";
import { generateFixtures } from "../../src/scenarios/generation/generate-fixtures.ts";
import type { Tally } from "../../src/scenarios/generation/make-valid.ts";
import { scenarioOf } from "../_scenario.ts";

export const small: FixtureSizes = { users: 60, parties: 24, packages: 6, synchronizers: 3, identityProviders: 3 };

export interface GeneratedTexts {
  /** The text of each file by its name. */
  readonly texts: ReadonlyMap<string, string>;
  readonly tally: Tally;
}

/** Generated fixtures, in memory. */
export async function generated(seed: number, sizes: FixtureSizes = small): Promise<GeneratedTexts> {
  const sources = { ledger: "ledger-json-api.yaml", registry: "token-registry.yaml" };
  const fixtures = generateFixtures((await loadFaker())(), { seed, sizes, sources, origin: "a test" });
  const texts = new Map(
    fixtures.files.map(({ name, pieces }) => [name, Array.from(pieces, ({ text }) => text).join("")] as const),
  );
  return { texts, tally: fixtures.tally() };
}

/** The scenario of generated fixtures, as `serve` loads it. */
export function loaded({ texts }: GeneratedTexts, overrides: ScenarioOverrides = {}): Scenario {
  const files = {
    read: (path: string) => texts.get(path),
    resolve: (from: string, relative: string) => join(dirname(from), relative),
  };
  return scenarioOf("scenario.arazzo.yaml", overrides, files);
}
