import { expect, test } from "vitest";
import { emptyBody } from "../../foundation/http/body.ts";
import { textResponse } from "../../foundation/http/response.ts";
import { isCachedResponse } from "./is-cached-response.ts";

function responded(name: string, value: string, method = "GET"): boolean {
  const response = textResponse(200, "application/json", "{}");
  return isCachedResponse({
    startedAt: "2026-01-01T00:00:00Z",
    durationMs: 1,
    request: { method, target: "/v2/users", headers: [], body: emptyBody },
    response: { ...response, headers: [...response.headers, [name, value]] },
  });
}

test.each([
  ["Age", "12", true],
  ["age", "0", false],
  ["X-Cache", "HIT from proxy", true],
  ["X-Cache", "MISS", false],
  ["CF-Cache-Status", "STALE", true],
  ["Server", "hit", false],
])("a response with %s: %s comes from a cache: %s", (name, value, expected) => {
  expect(responded(name, value)).toBe(expected);
});

test("a change passes every cache", () => {
  expect(responded("Age", "12", "PATCH")).toBe(false);
});
