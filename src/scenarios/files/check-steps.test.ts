import { expect, test } from "vitest";
import { checkSteps } from "./check-steps.ts";
import { loneWorkflow } from "./workflow.ts";

test("refuses a pattern that is too large for a regular expression", () => {
  const criterion = { type: "regex", context: "$response.body", condition: `^${"0".repeat(1_000_000)}b$` };
  const workflow = { steps: [{ stepId: "one", operationId: "getV2Users", successCriteria: [criterion] }] };
  const source = { name: "s.yaml", value: {}, placeOf: () => ({ line: 1, column: 1 }) };
  const [problem, ...others] = checkSteps(loneWorkflow(source, workflow), ["getV2Users"]);
  expect(problem?.problem.slice(0, 20)).toBe('the condition "^0000');
  expect(problem?.problem).toContain("Regular expression too large");
  expect(others).toEqual([]);
});
