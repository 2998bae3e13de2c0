import { expect, test } from "vitest";
import { durationMs } from "./duration.ts";

test.each([
  ["PT0S", 0],
  ["PT1.5S", 1500],
  ["PT2M", 120_000],
  ["PT1H1M1S", 3_661_000],
])("takes %s for %d milliseconds", (text, ms) => {
  expect(durationMs(text)).toBe(ms);
});

test.each(["", "PT", "P1D", "PT1", "PT1,5S", "pt1s", "PT1S "])("refuses %j as a duration", (text) => {
  expect(durationMs(text)).toBeUndefined();
});
