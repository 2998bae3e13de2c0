import { expect, test } from "vitest";
import { clockOf, dateTimeOf, periodOf } from "../parts/date-time.ts";
import { apart, moved, placeIn, spanOf, ticksOf, zoomed } from "./time-scale.ts";

const start = Date.UTC(2026, 0, 1, 0, 5);

test("a span contains all timestamps with a margin on both sides", () => {
  const { fromMs, untilMs } = spanOf([start + 50_000, start]);
  expect(fromMs).toBeLessThan(start);
  expect(untilMs).toBeGreaterThan(start + 50_000);
  expect(spanOf([start])).toEqual({ fromMs: start - 1000, untilMs: start + 1000 });
});

test("zooming keeps the middle, moving keeps the length, and a span has a minimum length", () => {
  const span = { fromMs: 0, untilMs: 1000 };
  expect(zoomed(span, 0.5)).toEqual({ fromMs: 250, untilMs: 750 });
  expect(zoomed(span, 0.0001)).toEqual({ fromMs: 450, untilMs: 550 });
  expect(moved(span, 0.25)).toEqual({ fromMs: 250, untilMs: 1250 });
  expect(placeIn(span, 500)(250)).toBe(125);
});

test.each([
  [200, 20],
  [60_000, 10_000],
  [3_600_000, 600_000],
  [400 * 86_400_000, 365 * 86_400_000],
])("the axis of %d ms has a tick every %d ms", (length, step) => {
  const ticks = ticksOf({ fromMs: start, untilMs: start + length }, 10);
  expect(ticks.length).toBeLessThanOrEqual(11);
  expect(ticks.length).toBeGreaterThan(0);
  expect(ticks.every(({ ms }) => ms % step === 0)).toBe(true);
});

test("omits zero milliseconds, and shows midnight as a date", () => {
  expect([clockOf(start), clockOf(start + 1500), dateTimeOf(start)]).toEqual([
    ...["00:05:00", "00:05:01.500", "2026-01-01 00:05:00"],
  ]);
  const texts = ticksOf({ fromMs: start, untilMs: start + 2 * 86_400_000 }, 4).map(({ text }) => text);
  expect(texts).toEqual(["12:00:00", "2026-01-02", "12:00:00", "2026-01-03"]);
});

test("moves equal positions apart, within the width and in order", () => {
  expect(apart([50, 50, 50], 20, 200)).toEqual([50, 70, 90]);
  expect(apart([180, 100, 180], 20, 200)).toEqual([170, 100, 190]);
  expect(apart([10, 100], 20, 200)).toEqual([10, 100]);
});

test("a period names its day, and the day of its end only if it differs", () => {
  expect(periodOf(start, start)).toBe("2026-01-01 00:05:00");
  expect(periodOf(start, start + 12_000)).toBe("2026-01-01 00:05:00 to 00:05:12");
  expect(periodOf(start, start + 86_400_000)).toBe("2026-01-01 00:05:00 to 2026-01-02 00:05:00");
});
