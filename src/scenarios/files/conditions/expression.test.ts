import { expect, test } from "vitest";
import { emptyBody } from "../../../foundation/http/body.ts";
import { textResponse } from "../../../foundation/http/response.ts";
import { evaluate, substitute } from "./expression.ts";

const scope = {
  request: { method: "POST", target: "/v2/users", headers: [["X-Asked", "a"]], body: emptyBody },
  response: { ...textResponse(201, "text/plain", "made"), headers: [["X-Asked", "b"]] },
  responseJson: undefined,
  outputs: new Map([["one", { id: "alice", list: [1] }]]),
} as const;

test.each([
  ["no expression", "no expression"],
  ["$statusCode", 201],
  ["$method", "POST"],
  ["$url", "/v2/users"],
  ["$request.header.x-asked", "a"],
  ["$response.header.X-ASKED", "b"],
  ["$response.header.absent", undefined],
  ["$response.body", "made"],
  ["$response.body#/a", undefined],
  ["$steps.one.outputs.id", "alice"],
  ["$steps.one.outputs.toString", undefined],
  ["$steps.two.outputs.id", undefined],
  ["$nothing", undefined],
])("evaluates %s", (expression, value) => {
  expect(evaluate(expression, scope)).toEqual(value);
});

test("finds a member of the response by its pointer, and the whole response without one", () => {
  const responded = { ...scope, responseJson: { "a/b": [{ c: 1 }] } };
  expect(evaluate("$response.body#/a~1b/0/c", responded)).toBe(1);
  expect(evaluate("$response.body", responded)).toEqual({ "a/b": [{ c: 1 }] });
});

test("replaces an expression by its value, and expressions within a text by their texts", () => {
  const value = {
    ids: ["$steps.one.outputs.id", "$steps.one.outputs.none"],
    list: "$steps.one.outputs.list",
    count: 1,
  };
  expect(substitute(value, scope)).toEqual({ ids: ["alice", null], list: [1], count: 1 });
  expect(substitute("/u/{$steps.one.outputs.id}/{$steps.one.outputs.none}", scope)).toBe("/u/alice/");
});

test("inserts a value as text anywhere in a text", () => {
  const outputs = new Map([["one", { odd: { toString: 1 }, list: ["a", "b"] }]]);
  const text = "{$steps.one.outputs.odd} {$steps.one.outputs.list} {{$steps.one.outputs.none}";
  expect(substitute(text, { ...scope, outputs })).toBe('{"toString":1} a,b {');
});
