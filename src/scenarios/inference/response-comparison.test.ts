import { expect, test } from "vitest";
import { type Response, textResponse } from "../../foundation/http/response.ts";
import { ResponseComparison } from "./response-comparison.ts";

const json = (status: number, value: unknown) => textResponse(status, "application/json", JSON.stringify(value));
const one = `1220${"1".repeat(64)}`;
const two = `1220${"2".repeat(64)}`;
const three = `1220${"3".repeat(64)}`;

/** The first difference in a sequence of responses, each given for oracle and target. */
function compared(...responses: readonly (readonly [oracle: Response, target: Response])[]) {
  const comparison = new ResponseComparison();
  for (const [oracle, target] of responses) {
    const found = comparison.difference(oracle, target, false);
    if (found !== undefined) return found;
  }
  return undefined;
}

const error = { code: "USER_NOT_FOUND", cause: "no such user", traceId: "a", context: { tid: "a" }, errorCategory: 11 };

test.each([
  ["the text of a cause", json(404, error), json(404, { ...error, cause: "getting user failed" })],
  ["a trace id", json(404, error), json(404, { ...error, traceId: null })],
  ["a missing correlation id", json(404, { ...error, correlationId: null }), json(404, error)],
  ["other members of a context", json(404, error), json(404, { ...error, context: { tid: "b", commands: "c" } })],
  [
    "the sentence of a legacy error",
    json(400, { code: "a b", errorCategory: -1 }),
    json(400, { code: "c d", errorCategory: -1 }),
  ],
  ["the text of a registry's error", json(404, { error: "none" }), json(404, { error: "no round" })],
  [
    "the wording of a text",
    textResponse(400, "text/plain", "Invalid value"),
    textResponse(400, "text/plain; charset=UTF-8", "Bad"),
  ],
  ["the order of members", json(200, { a: 1, b: 2 }), json(200, { b: 2, a: 1 })],
  ["the order of rights", json(200, { rights: ["a", "b"] }), json(200, { rights: ["b", "a"] })],
  ["a generated id", json(200, { party: `a::${one}` }), json(200, { party: `a::${two}` })],
  ["a time", json(200, { recordTime: "2026-01-01T00:00:00Z" }), json(200, { recordTime: "2026-05-01T00:00:00.5Z" })],
])("ignores %s", (_name, oracle, target) => {
  expect(compared([oracle, target])).toBeUndefined();
});

test.each([
  ["status", "", json(200, {}), json(201, {})],
  ["media-type", "", json(200, {}), textResponse(200, "text/plain", "{}")],
  [
    "value",
    "",
    textResponse(400, "text/plain", "INVALID_FIELD: a"),
    textResponse(400, "text/plain", "MISSING_FIELD: a"),
  ],
  ["value", "/code", json(404, error), json(404, { ...error, code: "NOT_FOUND" })],
  ["missing", "/context/tid", json(404, error), json(404, { ...error, context: {} })],
  ["missing", "/a~1b", json(200, { "a/b": null }), json(200, {})],
  ["surplus", "/a", json(200, {}), json(200, { a: null })],
  ["value", "/a", json(200, { a: null }), json(200, { a: "" })],
  ["value", "/a", json(200, { a: 1 }), json(200, { a: "1" })],
  ["value", "/nextPageToken", json(200, { nextPageToken: "" }), json(200, { nextPageToken: "abc" })],
  ["value", "/party", json(200, { party: `a::${one}` }), json(200, { party: `b::${one}` })],
  ["length", "/users", json(200, { users: [1] }), json(200, { users: [] })],
  ["value", "/users/1", json(200, { users: [1, 2] }), json(200, { users: [1, 3] })],
])("finds a difference in %s at %j", (aspect, pointer, oracle, target) => {
  expect(compared([oracle, target])).toMatchObject({ aspect, pointer });
});

test("compares integers beyond 2^53 exactly", () => {
  const at = (text: string) => textResponse(200, "application/json", `{"a":${text}}`);
  expect(compared([at("9007199254740993"), at("9007199254740993")])).toBeUndefined();
  expect(compared([at("9007199254740993"), at("9007199254740992")])).toMatchObject({ aspect: "value" });
});

const update = (updateId: string, completionOffset: number) => json(200, { updateId, completionOffset });

test.each([
  ["same", [update(one, 1), update(two, 10)], [update(one, 1), update(three, 10)]],
  ["other", [update(one, 1), update(three, 10)], [update(two, 1), update(three, 10)]],
] as const)("finds a generated id that contradicts its earlier match: %s", (_relation, first, second) => {
  expect(compared(first, second)).toEqual({ aspect: "identity", pointer: "/updateId" });
});

test.each([
  ["repeat", 10],
  ["decrease", 9],
])("finds offsets that %s where those of the oracle grow", (_name, later) => {
  const found = compared([update(one, 1), update(one, 10)], [update(two, 2), update(two, later)]);
  expect(found).toEqual({ aspect: "order", pointer: "/completionOffset" });
});

test("times may repeat, but not decrease", () => {
  const at = (time: string) => json(200, { recordTime: `2026-01-01T00:00:0${time}Z` });
  expect(compared([at("1"), at("5")], [at("2"), at("5")])).toBeUndefined();
  expect(compared([at("1"), at("5")], [at("2"), at("4")])).toMatchObject({ aspect: "order" });
});

test("a missing response differs from a complete one", () => {
  const comparison = new ResponseComparison();
  const broken = { type: "broken", kind: "timed-out" } as const;
  expect(comparison.difference(json(200, {}), broken, false)).toEqual({ aspect: "response", pointer: "" });
  expect(comparison.difference(broken, broken, false)).toBeUndefined();
});

test("compares an invalid timestamp as text", () => {
  const at = (time: string) => json(200, { time });
  expect(compared([at("2026-13-45T00:00:00Z"), at("2026-13-45T00:00:00Z")])).toBeUndefined();
  expect(compared([at("2026-13-45T00:00:00Z"), at("2026-13-46T00:00:00Z")])).toMatchObject({ aspect: "value" });
  expect(compared([at("2026-01-01T00:00:00Z"), at("2026-13-45T00:00:00Z")])).toMatchObject({ aspect: "value" });
});
