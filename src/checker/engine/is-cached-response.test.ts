import { expect, test } from "vitest";
import { exchangeOf } from "../../../test/_exchange.ts";
import { isCachedResponse } from "./is-cached-response.ts";

function responded(name: string, value: string, method = "GET"): boolean {
  return isCachedResponse(exchangeOf({ method, responseHeaders: [[name, value]] }));
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
