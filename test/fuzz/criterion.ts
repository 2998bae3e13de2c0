import { readFileSync } from "node:fs";
import { packagedFile } from "../../src/entrypoints/library/files.ts";
import { formatJson, type Json } from "../../src/foundation/json/json.ts";
import { patternTimeoutMs } from "../../src/foundation/text/within-time.ts";
import { brokenCriterion } from "../../src/scenarios/files/conditions/criterion.ts";
import { loadScenario } from "../../src/scenarios/files/load-scenario.ts";
import { garbage, isDrawn, oneOf, type Random } from "./_draw.ts";
import type { FuzzKind } from "./_fuzz-kind.ts";
import { filesOf, problemsProblem } from "./_loaded.ts";
import { attemptMsMax } from "./_messages.ts";
import { nearLimit } from "./_near-limits.ts";
import { targetOf } from "./_target-of.ts";

/** Success criteria of a step: read as part of a scenario, and applied to a response. Their patterns may backtrack. */
export const KIND: FuzzKind = {
  name: "criterion",
  open: async () => ({
    ...targetOf({ draw: drawn, check, show: (input) => formatJson({ ...input }) }),
    msMax: patternTimeoutMs + attemptMsMax,
  }),
};

const given = { ledger: "ledger.yaml", registry: "registry.yaml" };
const read = (path: string) => readFileSync(packagedFile(`fixtures/${path}`), "utf8");
const fixtures = { "ledger.yaml": read("ledgers/paging.yaml"), "registry.yaml": read("registries/amulet.yaml") };

interface Input {
  readonly type: "regex" | "jsonpath" | "simple";
  readonly condition: string;
  readonly value: Json;
}

const conditions = {
  regex: ["^(a+)+$", "^(a|a)*$", "(.*)*b", "^[a-z]+$", "^alice$", "a{1,1000}"],
  jsonpath: ["$[?match(@.id, '(a*)*b')]", "$[?search(@.id, '(a|aa)+$')]", "$..id", "$[0]", "$[?@.id == 'alice']"],
  simple: ["$response.body#/id == 'alice'", "$statusCode == 200", "$statusCode < 300 && !($statusCode == 204)", "true"],
} as const;

/** Characters of a simple condition, and a size far beyond. */
const lengths = [10_000, 1_000_000];
/** Characters that a pattern with repetitions inside repetitions takes very long for. */
const slowLength = 40;

/** Share of conditions without a change, most of which take long. */
const slowShare = 0.1;

function drawn(random: Random): Input {
  const type = oneOf(random, ["regex", "jsonpath", "simple"] as const);
  const condition = oneOf(random, conditions[type]);
  if (isDrawn(random, slowShare)) return { type, condition, value: { id: `${"a".repeat(slowLength)}!` } };
  const at = Math.floor(random() * condition.length);
  const insert = isDrawn(random, 0.2)
    ? oneOf(random, [" ", "(", "!", "a", "\t", "0"]).repeat(nearLimit(random, oneOf(random, lengths)))
    : garbage(random, 5);
  const changed = isDrawn(random, 0.5) ? condition + insert : condition.slice(0, at) + insert + condition.slice(at);
  return { type, condition: changed, value: { id: oneOf(random, ["alice", "", "a".repeat(10), "💥"]) } };
}

function check({ type, condition, value }: Input): string | undefined {
  const context = type === "jsonpath" ? "$response.body" : "$response.body#/id";
  const criterion = { context, type, condition };
  const step = { stepId: "s", operationId: "getV2Users", successCriteria: [criterion] };
  const scenario = { workflows: [{ workflowId: "w", "x-understudy": { given }, steps: [step] }] };
  const texts = { ...fixtures, "scenario.yaml": formatJson(scenario) };
  const loaded = loadScenario("scenario.yaml", filesOf(texts));
  if (loaded.type === "invalid") return problemsProblem(loaded.problems, texts);
  brokenCriterion(criterion, { request: undefined, response: undefined, responseJson: value, outputs: new Map() });
  return undefined;
}
