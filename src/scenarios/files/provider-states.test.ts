import { expect, test } from "vitest";
import { isJsonObject } from "../../foundation/json/json.ts";
import { checkProviderStates, providedStates } from "./provider-states.ts";
import { readYaml } from "./read-yaml.ts";

function problemsIn(states: string): readonly string[] {
  const read = readYaml("s.yaml", `seed: 1\nproviderStates:\n${states}`);
  if (read.type === "invalid") throw new Error("no YAML");
  const workflow = { steps: [{ stepId: "grant" }, { stepId: "list" }] };
  return checkProviderStates(read.source, workflow).map(({ line, problem, advice }) => `${line} ${problem}. ${advice}`);
}

test("reads names, and names with the step that they follow", () => {
  expect(problemsIn("  - no rights\n  - { name: alice may, afterStep: grant }\n")).toEqual([]);
});

test("refuses a duplicate name and an unknown step", () => {
  expect(problemsIn("  - a\n  - { name: a, afterStep: grant }\n  - { name: b, afterStep: grnt }\n")).toEqual([
    '4 duplicate provider state "a". Use a name only once.',
    '5 the provider state "b" follows the step "grnt", which does not exist. Did you mean "grant"?',
  ]);
});

test("adds the workflow id to the provider states of the scenario", () => {
  const read = readYaml("s.yaml", "workflowId: rights\nx-understudy: { providerStates: [no rights] }");
  const workflow = read.type === "read" && isJsonObject(read.source.value) ? read.source.value : {};
  expect(providedStates(workflow)).toEqual([
    { name: "no rights", afterStep: undefined },
    { name: "rights", afterStep: undefined },
  ]);
});
