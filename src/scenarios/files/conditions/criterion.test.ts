import { expect, test } from "vitest";
import { textResponse } from "../../../foundation/http/response.ts";
import { brokenCriterion } from "./criterion.ts";

const scope = {
  request: undefined,
  response: textResponse(200, "application/json", ""),
  responseJson: { letters: `${"a".repeat(60)}b`, users: [{ id: "alice" }] },
  outputs: new Map(),
  inputs: { user: "alice" },
};

test.each([
  { condition: "$statusCode == 200" },
  { type: "regex", context: "$response.body#/letters", condition: "^a+b$" },
  { type: "regex", context: "$response.header.content-type", condition: "^application\\/json$|\\-" },
  { type: "jsonpath", context: "$response.body#/users", condition: "$[?@.id == 'alice']" },
  { type: "jsonpath", context: "$response.body", condition: "$.users[?@.id == 'alice']" },
  { type: "jsonpath", context: "$response.body", condition: "$['users'][0].id" },
  { type: "jsonpath", context: "$response.body", condition: "$..id" },
  { type: "jsonpath", context: "$response.body", condition: "$[?count(@.users) > 0]" },
  { type: "jsonpath", context: "$response.body", condition: "$[?!@.absent]" },
  { type: "jsonpath", context: "$response.body", condition: "$[?@[0].id == 'alice']" },
  { type: "jsonpath", context: "$response.body", condition: "$.users[?@.id == '{$inputs.user}']" },
  { type: "regex", context: "$response.body#/users/0/id", condition: "^{$inputs.user}$" },
  {
    type: { type: "jsonpath", version: "draft-goessner-dispatch-jsonpath-00" },
    context: "$response.body",
    condition: "$.users[?(@.id == 'alice')]",
  },
])("holds: %j", (criterion) => {
  expect(brokenCriterion(criterion, scope)).toBeUndefined();
});

test.each([
  [
    { condition: "$response.body#/users/0/id == 'bob'" },
    "$response.body#/users/0/id == 'bob' does not hold: $response.body#/users/0/id is \"alice\"",
    "/users/0/id",
  ],
  [
    { type: "regex", context: "$response.body#/absent", condition: "^a" },
    "^a does not hold: $response.body#/absent is missing",
    "/absent",
  ],
  [
    { type: "regex", context: "$response.body#/users/0/id", condition: "^b" },
    '^b does not hold: $response.body#/users/0/id is "alice"',
    "/users/0/id",
  ],
])("says why %j does not hold", (criterion, reason, pointer) => {
  expect(brokenCriterion(criterion, scope)).toEqual({ reason, pointer });
});

test.each([
  "$[?!@.users]",
  "$[?count(@.users) == 0]",
  "$[?@.users != @.users]",
  "$.users[?@.id == 'bob']",
  "$.nothing",
])("does not hold on an object: %s", (condition) => {
  const criterion = { type: "jsonpath", context: "$response.body", condition };
  expect(brokenCriterion(criterion, scope)?.reason).toContain("does not hold");
});

test.each([
  { type: "regex", context: "$response.body#/letters", condition: "^(a+)+$" },
  { type: "jsonpath", context: "$response.body", condition: "$[?match(@.letters,'(a+)+')]" },
])("stops %j, which backtracks without end", (criterion) => {
  expect(brokenCriterion(criterion, scope)?.reason).toContain(
    `${criterion.condition} takes longer than 2000 ms (use a pattern without repetitions inside repetitions)`,
  );
});

test("says that a pattern in a path is nested too deeply", () => {
  const condition = `$[?search(@.id, '${"(".repeat(5000)}')]`;
  expect(brokenCriterion({ type: "jsonpath", context: "$response.body#/users", condition }, scope)?.reason).toContain(
    `${condition} has too many groups inside groups: `,
  );
});
