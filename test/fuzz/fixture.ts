import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { packagedFile } from "../../src/entrypoints/library/files.ts";
import { loadScenario } from "../../src/scenarios/files/load-scenario.ts";
import { garbage, isDrawn, oneOf, type Random } from "./_draw.ts";
import type { FuzzKind } from "./_fuzz-kind.ts";
import { filesOf, loadProblem, stubsByProfile } from "./_loaded.ts";
import { mutatedBytes } from "./_mutate-bytes.ts";
import { mutatedJson } from "./_mutate-json.ts";
import { mutatedYaml } from "./_mutate-yaml.ts";
import { targetOf } from "./_target-of.ts";

/** Fixtures of ledgers and registries, in YAML and in JSON, beside a good one of the other kind. */
export const KIND: FuzzKind = {
  name: "fixture",
  open: async () => {
    const stubsOf = stubsByProfile();
    const check = (input: Input) => {
      const texts = textsOf(input);
      return loadProblem(loadScenario("scenario.yaml", filesOf(texts)), texts, stubsOf);
    };
    return targetOf({ draw: drawn, check, show });
  },
};

const read = (path: string) => readFileSync(packagedFile(`fixtures/${path}`), "utf8");
const types = 'fields: { id: Text, initiator: Party, responder: [Party], note: "Optional (TextMap Int)" }';
const ledgers = ["two-synchronizers", "paging"].map((name) =>
  read(`ledgers/${name}.yaml`).replace("signatories: [initiator]", `${types}, $&`),
);
const registries = ["amulet", "utility"].map((name) => read(`registries/${name}.yaml`));
const [ledger = "", registry = ""] = [ledgers[0], registries[0]];

interface Input {
  readonly isLedger: boolean;
  readonly text: string;
  readonly profile: string;
}

function drawn(random: Random): Input {
  const isLedger = isDrawn(random, 0.5);
  const good = oneOf(random, isLedger ? ledgers : registries);
  return { isLedger, text: mutatedFile(good, random), profile: oneOf(random, ["spec", "canton-3.5"]) };
}

/** A file of YAML after mutations: as it is, as JSON, or as bytes that are read as a text. */
export function mutatedFile(good: string, random: Random): string {
  if (isDrawn(random, 0.02)) return garbage(random, 300);
  if (isDrawn(random, 0.1)) return new TextDecoder().decode(mutatedBytes(new TextEncoder().encode(good), random));
  return isDrawn(random, 0.5) ? mutatedYaml(good, random) : mutatedJson(parse(good), random);
}

function textsOf({ isLedger, text, profile }: Input): Readonly<Record<string, string>> {
  const extension = `{ profile: ${profile}, given: { ledger: ledger.yaml, registry: registry.yaml } }`;
  return {
    "scenario.yaml": `workflows: [{ workflowId: w, x-understudy: ${extension}, steps: [] }]`,
    "ledger.yaml": isLedger ? text : ledger,
    "registry.yaml": isLedger ? registry : text,
  };
}

function show({ isLedger, text, profile }: Input): string {
  return `(${isLedger ? "ledger" : "registry"} fixture, ${profile})\n${text}`;
}
