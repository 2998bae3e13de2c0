import { expect, test } from "vitest";
import { entryOf, type Fault } from "./fault-entry.ts";

const fault: Fault = {
  on: "getV2Users",
  kind: "status",
  pointInTime: "instead",
  status: 503,
  body: "",
  delay: "PT2S",
  nth: 2,
  times: 3,
};
const calls = { on: "getV2Users", nth: 2, times: 3 };

test("a body that is JSON is sent as JSON, another as text, none as none", () => {
  expect(entryOf({ ...fault, body: '{"error":"busy"}' })).toEqual({
    ...calls,
    instead: { status: 503, body: { error: "busy" } },
  });
  expect(entryOf({ ...fault, body: "{busy" })).toEqual({ ...calls, instead: { status: 503, body: "{busy" } });
  expect(entryOf(fault)).toEqual({ ...calls, instead: { status: 503 } });
});

test("a fault strikes instead of the effect or after it", () => {
  expect(entryOf({ ...fault, kind: "reset", pointInTime: "after" })).toEqual({ ...calls, after: { reset: true } });
  expect(entryOf({ ...fault, kind: "timeout" })).toEqual({ ...calls, instead: { timeout: true } });
});

test("what is late has taken effect, and a fault that has a name goes by it", () => {
  expect(entryOf({ ...fault, kind: "delay" })).toEqual({ ...calls, after: { delay: "PT2S" } });
  expect(entryOf({ ...fault, kind: "commit-then-reset" })).toEqual({ ...calls, fault: "commit-then-reset" });
});
