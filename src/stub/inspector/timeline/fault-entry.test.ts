import { expect, test } from "vitest";
import { entryOf, type PlannedFault } from "./fault-entry.ts";

const fault: PlannedFault = {
  on: "getV2Users",
  kind: "status",
  timing: "instead",
  status: 503,
  body: "",
  delay: "PT2S",
  nth: 2,
  times: 3,
};
const calls = { on: "getV2Users", nth: 2, times: 3 };

test("sends a JSON body as JSON, other text as text, and no body if empty", () => {
  expect(entryOf({ ...fault, body: '{"error":"busy"}' })).toEqual({
    ...calls,
    instead: { status: 503, body: { error: "busy" } },
  });
  expect(entryOf({ ...fault, body: "{busy" })).toEqual({ ...calls, instead: { status: 503, body: "{busy" } });
  expect(entryOf(fault)).toEqual({ ...calls, instead: { status: 503 } });
});

test("a fault replaces the effect or follows it", () => {
  expect(entryOf({ ...fault, kind: "reset", timing: "after" })).toEqual({ ...calls, after: { reset: true } });
  expect(entryOf({ ...fault, kind: "timeout" })).toEqual({ ...calls, instead: { timeout: true } });
});

test("a delayed response takes effect first, and a named fault uses its name", () => {
  expect(entryOf({ ...fault, kind: "delay" })).toEqual({ ...calls, after: { delay: "PT2S" } });
  expect(entryOf({ ...fault, kind: "commit-then-reset" })).toEqual({ ...calls, fault: "commit-then-reset" });
});
