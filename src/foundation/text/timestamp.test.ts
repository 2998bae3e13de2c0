import { expect, test } from "vitest";
import { readTimestamp, timestampOf } from "./timestamp.ts";

test("writes whole milliseconds with three digits and others with microseconds", () => {
  const epochMs = Date.parse("2026-01-01T00:00:00.250Z");
  expect(timestampOf(epochMs)).toBe("2026-01-01T00:00:00.250Z");
  expect(timestampOf(epochMs + 0.5)).toBe("2026-01-01T00:00:00.250500Z");
});

test.each([
  ["2026-01-01T00:00:00.250500Z", 0.5, 0.001],
  ["2026-01-01T00:00:00.2505Z", 0.5, 0.1],
  ["2026-01-01T01:00:00.250+01:00", 0, 1],
  ["2026-01-01T00:00:00.25Z", 0, 10],
  ["2026-01-01T00:00:00Z", -250, 1000],
])("reads all digits of %s", (text, moreMs, resolutionMs) => {
  const { epochMs, resolutionMs: read } = readTimestamp(text);
  expect(epochMs - Date.parse("2026-01-01T00:00:00.250Z")).toBe(moreMs);
  expect(read).toBe(resolutionMs);
});

test("an invalid timestamp is not a number", () => expect(readTimestamp("soon").epochMs).toBeNaN());
