import { readdirSync, readFileSync } from "node:fs";
import { packagedFile } from "../../src/entrypoints/library/files.ts";
import { loadScenario } from "../../src/scenarios/files/load-scenario.ts";
import { oneOf, type Random } from "./_draw.ts";
import type { FuzzKind } from "./_fuzz-kind.ts";
import { filesOf, loadProblem, stubsByProfile } from "./_loaded.ts";
import { targetOf } from "./_target-of.ts";
import { mutatedFile } from "./fixture.ts";

/** Scenarios with their plans, faults and steps, over the fixtures of the repository. */
export const KIND: FuzzKind = {
  name: "scenario",
  open: async () => {
    const stubsOf = stubsByProfile();
    const check = (text: string) => {
      const files = { ...fixtures, "scenario.yaml": text };
      return loadProblem(loadScenario("scenario.yaml", filesOf(files)), files, stubsOf);
    };
    return targetOf({ draw: drawn, check, show: (text) => text });
  },
};

const texts = (folder: string) =>
  readdirSync(packagedFile(folder)).map(
    (name) => [name, readFileSync(packagedFile(`${folder}/${name}`), "utf8")] as const,
  );
const scenarios = texts("scenarios").map(([, text]) => text);
const fixtures = Object.fromEntries(
  ["ledgers", "registries"].flatMap((folder) =>
    texts(`fixtures/${folder}`).map(([name, text]) => [`../fixtures/${folder}/${name}`, text]),
  ),
);

function drawn(random: Random): string {
  return mutatedFile(oneOf(random, scenarios), random);
}
