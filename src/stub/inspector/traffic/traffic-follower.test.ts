import { expect, test } from "vitest";
import type { Traffic, TrafficLine, WorldStatus } from "../parts/control-api.ts";
import { type FollowedTraffic, TrafficFollower } from "./traffic-follower.ts";
import type { PageRequest } from "./traffic-log.ts";

const lineOf = (number: number, outcome: TrafficLine["outcome"], run: number): TrafficLine => ({
  number,
  startedAt: `run ${run}`,
  virtualAt: "2026-01-01T00:00:00.000Z",
  durationMs: 1,
  method: "GET",
  target: "/v2/users",
  operationId: "getV2Users",
  status: 200,
  broken: null,
  outcome,
  rules: [],
  clientRules: [],
  changes: 0,
  unexpected: null,
  reason: null,
});

/** A fake stub and a follower that records its requests and results. */
function followed() {
  const stub = { first: 1, last: 0, epoch: 0, revision: 0, run: 1, outcomes: new Map<number, "FAIL">() };
  const requested: PageRequest[] = [];
  const reported: FollowedTraffic[] = [];
  const during: (() => void)[] = [];
  const seen = (): WorldStatus => ({
    id: "default",
    last: stub.last,
    revision: stub.revision,
    epoch: stub.epoch,
    hasState: true,
    now: null,
    clockSpeed: 0,
  });
  const fetchPage = async (page: PageRequest): Promise<Traffic> => {
    requested.push(page);
    during.shift()?.();
    const from = Math.max(page.after + 1, stub.first);
    const count = Math.max(0, Math.min(page.limit, stub.last - from + 1));
    const lines = Array.from({ length: count }, (_, index) =>
      lineOf(from + index, stub.outcomes.get(from + index) ?? "PASS", stub.run),
    );
    return { first: stub.first, last: stub.last, epoch: stub.epoch, lines };
  };
  const follower = new TrafficFollower(seen(), fetchPage, (traffic) => reported.push(traffic));
  const numbers = () => reported.at(-1)?.log.lines.map(({ number }) => number) ?? [];
  const grow = async (last: number) => {
    stub.last = last;
    stub.revision += 1;
    await follower.follow(seen());
  };
  return { stub, requested, reported, during, follower, seen, numbers, grow };
}

const upTo = (last: number, first = 1) => Array.from({ length: last - first + 1 }, (_, index) => first + index);

test("fetches many exchanges page by page", async () => {
  const { requested, numbers, grow } = followed();
  await grow(25_000);
  expect(requested.map(({ after }) => after)).toEqual([0, 9_900, 19_800]);
  expect(numbers()).toEqual(upTo(25_000));
});

test("sends no request without a new status", async () => {
  const { requested, follower, seen, grow } = followed();
  await grow(3);
  await follower.follow(seen());
  expect(requested.length).toBe(1);
});

test("updates outcomes of known lines, with and without new lines", async () => {
  const { stub, requested, reported, grow } = followed();
  const outcomes = () =>
    reported
      .at(-1)
      ?.log.lines.filter(({ outcome }) => outcome === "FAIL")
      .map(({ number }) => number);
  await grow(5_000);
  stub.outcomes.set(4_990, "FAIL");
  await grow(5_001);
  expect(outcomes()).toEqual([4_990]);
  stub.outcomes.set(4_200, "FAIL");
  await grow(5_001);
  expect(outcomes()).toEqual([4_200, 4_990]);
  expect(requested.map(({ after }) => after)).toEqual([0, 4_900, 4_001]);
});

test("starts over after a reset, also during a request", async () => {
  const { stub, during, follower, seen, numbers, grow } = followed();
  await grow(10);
  stub.epoch = 1;
  await grow(2);
  expect(numbers()).toEqual([1, 2]);
  during.push(() => {
    stub.epoch = 2;
    stub.last = 1;
    void follower.follow(seen());
  });
  await grow(4);
  expect(numbers()).toEqual([1]);
});

test("waits for the status after a page shows a reset", async () => {
  const { stub, during, requested, numbers, grow } = followed();
  await grow(3);
  during.push(() => {
    stub.epoch = 1;
    stub.last = 1;
  });
  await grow(5);
  expect([requested.length, numbers()]).toEqual([2, [1, 2, 3]]);
  await grow(1);
  expect(numbers()).toEqual([1]);
});

test("detects a restarted stub with as many exchanges", async () => {
  const { stub, reported, numbers, grow } = followed();
  await grow(3);
  stub.run = 2;
  await grow(4);
  expect(numbers()).toEqual([1, 2, 3, 4]);
  expect(new Set(reported.at(-1)?.log.lines.map(({ startedAt }) => startedAt))).toEqual(new Set(["run 2"]));
});

test("detects a restarted stub without exchanges", async () => {
  const { stub, numbers, grow } = followed();
  await grow(3);
  stub.run = 2;
  await grow(0);
  expect(numbers()).toEqual([]);
  await grow(1);
  expect(numbers()).toEqual([1]);
});

test("keeps exchanges that arrive before their status", async () => {
  const { stub, during, reported, numbers, grow } = followed();
  during.push(() => {
    stub.last = 9;
  });
  await grow(5);
  expect(numbers()).toEqual(upTo(9));
  const before = reported.length;
  during.push(() => {
    stub.last = 9;
  });
  await grow(6);
  expect(reported.slice(before).map(({ log }) => log.lines.length)).toEqual([9]);
});

test("removes exchanges that the journal dropped", async () => {
  const { stub, numbers, grow } = followed();
  await grow(10);
  stub.first = 8;
  await grow(12);
  expect(numbers()).toEqual(upTo(12, 8));
});

test("stops if the journal has fewer exchanges than the status says", async () => {
  const { stub, during, requested, grow } = followed();
  during.push(() => {
    stub.last = 3;
  });
  await grow(5);
  expect(requested.length).toBe(1);
});

test("fetches changes that are reported during a request after it", async () => {
  const { stub, during, requested, follower, seen, numbers, grow } = followed();
  during.push(() => {
    stub.last = 7;
    stub.revision += 1;
    void follower.follow(seen());
  });
  await grow(5);
  expect([requested.length, numbers()]).toEqual([2, upTo(7)]);
});

test("reports a failed request, keeps its lines, and retries with the next status", async () => {
  const { during, reported, numbers, grow } = followed();
  await grow(2);
  during.push(() => {
    throw new TypeError("Failed to fetch");
  });
  await grow(3);
  expect(reported.at(-1)?.problem).toBe("Failed to fetch");
  expect(numbers()).toEqual([1, 2]);
  await grow(4);
  expect(reported.at(-1)?.problem).toBeUndefined();
  expect(numbers()).toEqual([1, 2, 3, 4]);
});

test("reports nothing after it is closed", async () => {
  const { reported, follower, grow } = followed();
  follower.close();
  await grow(2);
  expect(reported).toEqual([]);
});
