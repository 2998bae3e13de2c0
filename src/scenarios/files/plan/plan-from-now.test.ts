import { expect, test } from "vitest";
import type { Json } from "../../../foundation/json/json.ts";
import type { FileReader } from "../file-reader.ts";
import { loadScenario } from "../load-scenario.ts";
import { problemsMax } from "../problem.ts";
import { planFromNow } from "./plan-from-now.ts";

const texts: Readonly<Record<string, string>> = {
  "s.yaml": "workflows: [{ workflowId: w, x-understudy: { given: { ledger: l.yaml, registry: r.yaml } }, steps: [] }]",
  "l.yaml": `participantId: participant1::1220ab
synchronizers: [{ alias: a, id: "a::1220ab" }]
identityProviders: [{ id: corporate, issuer: i, jwksUrl: j }]`,
  "r.yaml": "{ admin: dso::1220ab, factory: { context: [] }, contracts: [] }",
};
const files: FileReader = { read: (path) => texts[path], resolve: (_, path) => path };

const loaded = loadScenario("s.yaml", files);

function problemsOf(entries: readonly Json[]): readonly string[] {
  if (loaded.type === "invalid") throw new Error(JSON.stringify(loaded.problems));
  const found = planFromNow(entries, loaded.scenario.initial);
  return found.type === "invalid" ? found.problems : [];
}

test("stops at the maximum number of reported problems", () => {
  const entries = (length: number) => Array.from({ length }, () => ({ on: "getV2Userz", instead: { status: 500 } }));
  expect(problemsOf(entries(problemsMax))).toHaveLength(problemsMax);
  expect(problemsOf(entries(10_000))).toHaveLength(problemsMax + 1);
  expect(problemsOf(entries(10_000)).at(-1)).toMatch(/^plan\.50 and later entries were not checked\./);
});

test("shortens long values", () => {
  const [problem = ""] = problemsOf([{ at: "x".repeat(100_000), deactivateUser: "alice" }]);
  expect(problem.length).toBeLessThan(5000);
});

test("shows an integer of more than 64 bits in a problem", () => {
  const [problem = ""] = problemsOf([{ on: "getV2Users", fault: -9223372036854775809n }]);
  expect(problem).toContain("fault is -9223372036854775809, which");
});
