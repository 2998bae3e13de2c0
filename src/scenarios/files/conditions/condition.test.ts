import { expect, test } from "vitest";
import { textResponse } from "../../../foundation/http/response.ts";
import { holds } from "./condition.ts";

const scope = {
  request: undefined,
  response: textResponse(200, "application/json", ""),
  responseJson: {
    name: "it's",
    count: 2,
    isThere: true,
    nothing: null,
    word: "true",
    user: { id: "alice", annotations: { a: "1", b: "2" } },
    sameUser: { annotations: { b: "2", a: "1" }, id: "alice" },
    digits: "5",
    users: [{ id: "alice", "a b": { c: true } }],
    otherUser: { id: "alice", annotations: { a: "1", b: "3" } },
    list: [1, 2],
    reversed: [2, 1],
  },
  outputs: new Map([["list", { first: "Alice", "a.b": { c: 1 } }]]),
  inputs: { size: 3, user: { id: "bob" } },
};
const of = (member: string) => `$response.body#/${member}`;

test.each([
  ["$statusCode == 200", true],
  ["$statusCode != 200", false],
  ["$statusCode < 200", false],
  ["$statusCode <= 200", true],
  ["$statusCode > 200", false],
  ["$statusCode >= 200", true],
  [`${of("name")} == 'it''s'`, true],
  [`${of("nothing")} == null`, true],
  [`${of("absent")} == null`, false],
  [`${of("absent")} != null`, false],
  [`${of("absent")} == ${of("other")}`, false],
  [`!(${of("absent")} == 1)`, false],
  [`!${of("absent")}`, false],
  [`${of("absent")} == 1 || ${of("count")} == 2`, true],
  [`!(${of("absent")} == 1 && ${of("count")} == 3)`, true],
  [`${of("absent")} != 1 && ${of("count")} == 2`, false],
  [`${of("user")} == ${of("sameUser")}`, true],
  [`${of("user")} != ${of("sameUser")}`, false],
  [`${of("user")} == ${of("otherUser")}`, false],
  [`${of("list")} == ${of("reversed")}`, false],
  [of("isThere"), true],
  [of("word"), false],
  [of("count"), false],
  [`!${of("isThere")}`, false],
  [`${of("user")} == 'x'`, false],
  [`${of("name")} == 'IT''S'`, true],
  [`${of("name")} != 'IT''S'`, false],
  [`${of("digits")} == 5`, true],
  [`${of("digits")} < 10`, true],
  [`'abc' < 'ABD' && 'b' >= 'B'`, true],
  [`${of("list")} < 5`, false],
  ["$response.body.users[0].id == 'alice'", true],
  ["$response.body#/users/0/id == 'alice'", true],
  ["$response.body.users[0]['a b'].c", true],
  ["$response.body.users[1].id == 'alice'", false],
  ["$steps.list.outputs.first == 'alice'", true],
  ["$steps.list.outputs.a.b.c == 1 && $steps.list.outputs.a.b#/c == 1", true],
  ["$inputs.size > 1e0 && $inputs.user.id == 'bob' && $inputs.user#/id == 'bob'", true],
  ["{$statusCode == 200}", true],
  ["{$statusCode} == {$statusCode}", true],
  ["true || false", true],
  ["false || false", false],
  ["true && false", false],
  ["true || true && false", true],
  ["(true || true) && false", false],
  ["!(true && false)", true],
])("finds that `%s` is %s", (condition, isKept) => {
  expect(holds(condition, scope)).toBe(isKept);
});

test.each(["", "1 == 1 1", "(1 == 1", "1 ==", "1 == 1 ||", "1 = 1", "true || (", "&& true"])(
  "refuses `%s` as no condition",
  (condition) => {
    expect(() => holds(condition, scope)).toThrow(SyntaxError);
  },
);

test.each([
  ["a million trailing spaces", `$statusCode == 200${" ".repeat(1_000_000)}`, /1000018 characters; at most 10000/],
  ["a thousand parentheses", `${"(".repeat(1000)}true${")".repeat(1000)}`, /deeper than 100 levels/],
  ["a thousand negations", `${"!".repeat(1000)}true`, /deeper than 100 levels/],
])("refuses a condition with %s", (_, condition, message) => {
  expect(() => holds(condition, scope)).toThrow(message);
});

test("allows many groups beside each other", () => {
  expect(holds(`${"(!false) && ".repeat(200)}true`, scope)).toBe(true);
});
