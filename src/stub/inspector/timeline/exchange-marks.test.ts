import { expect, test } from "vitest";
import type { TrafficLine } from "../parts/control-api.ts";
import { kindOf, linesOf, marksOf, placedMarks, singlesOf, timesOf } from "./exchange-marks.ts";

const sides = { isStub: true, areBothShown: false };

function line(number: number, atSeconds: number, given: Partial<TrafficLine> = {}): TrafficLine {
  const virtualAt = new Date(Date.UTC(2026, 0, 1) + atSeconds * 1000).toISOString();
  return {
    number,
    startedAt: virtualAt,
    virtualAt,
    durationMs: 1,
    method: "GET",
    target: "/v2/users",
    operationId: "getV2Users",
    status: 200,
    broken: null,
    outcome: "PASS",
    rules: [],
    clientRules: [],
    changes: 0,
    unexpected: null,
    reason: null,
    ...given,
  };
}

test("maps statuses to kinds; a broken response is a failure", () => {
  const statuses = [200, 302, 400, 404, 409, 500, 503, null];
  expect(statuses.map((status) => kindOf({ status }))).toEqual([
    ...["fine", "fine", "refused", "refused"],
    ...["conflict", "failed", "failed", "failed"],
  ]);
});

test("groups exchanges with the same time into one mark per kind, with the worst problem", () => {
  const rule = "page-tokens-from-pages";
  const clientRules = [{ rule, severity: "warning" as const }];
  const lines = [line(1, 0), line(2, 0, { status: 409 }), line(3, 0, { clientRules }), line(4, 0)];
  const at = Date.UTC(2026, 0, 1);
  expect(marksOf(lines, timesOf(lines), 0, sides)).toEqual([
    { kind: "fine", fromMs: at, untilMs: at, count: 3, first: 1, worst: "warning" },
    { kind: "conflict", fromMs: at, untilMs: at, count: 1, first: 2, worst: undefined },
  ]);
});

test("groups nearby exchanges by the distance from the first one, not as a chain", () => {
  const lines = [0, 4, 8, 12].map((seconds, index) => line(index + 1, seconds));
  expect(marksOf(lines, timesOf(lines), 5000, sides).map(({ count }) => count)).toEqual([2, 2]);
  expect(marksOf(lines, timesOf(lines), 3000, sides).map(({ count }) => count)).toEqual([1, 1, 1, 1]);
});

test("returns exactly the lines of a mark", () => {
  const lines = [line(1, 0), line(2, 1, { status: 409 }), line(3, 2), line(4, 9)];
  const times = timesOf(lines);
  const [fine] = marksOf(lines, times, 5000, sides).filter(({ kind, count }) => kind === "fine" && count === 2);
  expect(fine === undefined ? [] : linesOf(fine, lines, times).map(({ number }) => number)).toEqual([1, 3]);
});

test("spreads the exchanges of one time side by side where there is room, each with its own problem", () => {
  const rule = { rule: "page-tokens-from-pages", severity: "error" as const };
  const lines = [line(1, 0), line(2, 0, { clientRules: [rule] }), line(3, 0), line(4, 60)];
  const times = timesOf(lines);
  const marks = marksOf(lines, times, 0, sides);
  const [from] = times;
  const placed = (width: number) =>
    placedMarks(marks, { place: (ms) => ((ms - (from ?? 0)) / 60_000) * width, width }, (mark) =>
      singlesOf(mark, lines, times, sides),
    );
  expect(placed(500).map(({ mark, x }) => [mark.first, mark.count, x])).toEqual([
    [1, 1, 13],
    [2, 1, 39],
    [3, 1, 65],
    [4, 1, 500],
  ]);
  expect(placed(500).map(({ mark }) => mark.worst)).toEqual([undefined, "error", undefined, undefined]);
  const second = placed(500)[1]?.mark;
  expect(second === undefined ? [] : linesOf(second, lines, times).map(({ number }) => number)).toEqual([2]);
  expect(placed(80).map(({ mark, x }) => [mark.first, mark.count, x])).toEqual([
    [1, 3, 0],
    [4, 1, 80],
  ]);
});
