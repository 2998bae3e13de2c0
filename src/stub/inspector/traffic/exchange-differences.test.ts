import { expect, test } from "vitest";
import type { InspectedExchange } from "../parts/control-api.ts";
import { exchangeDifferences } from "./exchange-differences.ts";

const exchange = (given: {
  readonly target?: string;
  readonly requestBody?: string;
  readonly status?: number | null;
  readonly headers?: string[][];
  readonly responseBody?: string | null;
}): InspectedExchange => ({
  line: {
    number: 1,
    startedAt: "2026-05-01T10:00:00.000Z",
    virtualAt: "2026-01-01T00:00:00.000Z",
    durationMs: 1,
    method: "GET",
    target: given.target ?? "/v2/users",
    operationId: null,
    status: given.status ?? 200,
    broken: given.responseBody === null ? "reset" : null,
    outcome: "PASS",
    rules: [],
    clientRules: [],
    changes: 0,
    unexpected: null,
    reason: null,
  },
  request: { headers: [["Host", "a"]], body: given.requestBody ?? "" },
  response: given.responseBody === null ? null : { headers: given.headers ?? [], body: given.responseBody ?? "{}" },
  broken: [],
  clientFindings: [],
  changes: [],
  copies: { curl: "", step: "", plan: "" },
});

const between = (left: InspectedExchange, right: InspectedExchange) =>
  exchangeDifferences(left, right)
    .filter(({ differences }) => differences.length > 0)
    .map(({ title, differences }) => [title, ...differences.map(({ type, pointer }) => `${type} ${pointer}`)]);

test("equal exchanges have every part without differences", () => {
  const parts = exchangeDifferences(exchange({}), exchange({}));
  expect(parts.map(({ title, differences }) => [title, differences.length])).toEqual([
    ["Target", 0],
    ["Request headers", 0],
    ["Request body", 0],
    ["Status", 0],
    ["Response headers", 0],
    ["Response body", 0],
  ]);
});

test("compares targets by method, path and query parameter", () => {
  const left = exchange({ target: "/v2/users?pageSize=1&pageToken=a" });
  const right = exchange({ target: "/v2/parties?pageSize=2&x=1&x=2" });
  expect(between(left, right)).toEqual([
    ["Target", "changed /path", "changed /query/pageSize", "removed /query/pageToken", "added /query/x"],
  ]);
});

test("compares headers by case-insensitive name", () => {
  const left = exchange({
    headers: [
      ["Content-Type", "text/plain"],
      ["X-A", "1"],
      ["X-A", "2"],
    ],
  });
  const right = exchange({
    headers: [
      ["content-type", "text/plain"],
      ["x-a", "1"],
    ],
  });
  expect(between(left, right)).toEqual([["Response headers", "changed /x-a"]]);
});

test("compares a body that is not JSON as text, and reports a missing body as removed", () => {
  const left = exchange({ requestBody: "{", responseBody: "no" });
  const right = exchange({ requestBody: "[", responseBody: "" });
  expect(between(left, right)).toEqual([
    ["Request body", "changed "],
    ["Response body", "removed "],
  ]);
});

test("reports headers and body of a broken response as removed", () => {
  expect(between(exchange({}), exchange({ responseBody: null, status: null }))).toEqual([
    ["Status", "changed /brokenOff"],
    ["Response headers", "removed "],
    ["Response body", "removed "],
  ]);
});
