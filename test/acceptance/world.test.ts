import { expect, test } from "vitest";
import { type CallEvent, plannedMax, type TimedEvent } from "../../src/simulator/world/plan.ts";
import { type ClockMode, World } from "../../src/simulator/world/world.ts";
import { advancedTo, virtualTimeMsMax, type WorldState, withPlanned } from "../../src/simulator/world/world-state.ts";
import { stubOver } from "./_stub.ts";

const ledger = "participantId: p::1220ab\nidentityProviders: [{ id: c, issuer: i, jwksUrl: j }]\n";

function stateWith(timed: readonly TimedEvent[] = [], calls: readonly CallEvent[] = []): WorldState {
  const { state } = stubOver({ ledger }, "canton-3.5").world;
  return { ...state, nowMs: 1000, plan: { timed, calls, responses: [], expected: undefined } };
}

/** A world and the hand of its wall clock. */
function worldOf(clockMode: ClockMode, initial: WorldState = stateWith()) {
  const wall = { nowMs: 0 };
  return { wall, world: new World(initial, clockMode, () => wall.nowMs) };
}

const preapproval = { receiver: "bob", contract: undefined, featuredAppRight: undefined };
const created = { type: "preapproval-created", preapproval } as const;
const archived = { type: "preapproval-archived", receiver: "bob" } as const;
const isApproved = ({ registry: { preapprovals } }: WorldState) => preapprovals.has("bob");

test("keeps virtual time while frozen, until it is advanced", () => {
  const { wall, world } = worldOf({ type: "frozen" });
  wall.nowMs = 5000;
  expect(world.state.nowMs).toBe(1000);
  world.advanceBy(20);
  expect(world.state.nowMs).toBe(1020);
});

test("runs virtual time at the configured speed, and never backwards", () => {
  const { wall, world } = worldOf({ type: "running", speed: 60 });
  wall.nowMs = 10;
  expect([world.state.nowMs, world.elapse().nowMs, world.state.nowMs]).toEqual([1000, 1600, 1600]);
  wall.nowMs = 4;
  expect(world.elapse().nowMs).toBe(1600);
  wall.nowMs = 5;
  expect(world.elapse().nowMs).toBe(1660);
});

test("runs to the end of virtual time and stops there", () => {
  const { wall, world } = worldOf({ type: "running", speed: 60 });
  wall.nowMs = virtualTimeMsMax;
  expect(world.elapse().nowMs).toBe(virtualTimeMsMax);
  expect(() => world.advanceBy(1)).toThrow(RangeError);
});

test("resets to its initial state and time, whatever wall time has passed", () => {
  const { wall, world } = worldOf({ type: "running", speed: 1 });
  world.perform([created]);
  wall.nowMs = 500;
  world.reset();
  expect([world.state.nowMs, isApproved(world.state)]).toEqual([1000, false]);
  wall.nowMs = 600;
  expect(world.elapse().nowMs).toBe(1100);
});

test("forks from the current state, and starts fresh from the initial state", () => {
  const { world } = worldOf({ type: "frozen" });
  world.perform([created]);
  world.advanceBy(5);
  const [fork, fresh] = [world.fork(), world.fresh()];
  expect([fork, fresh].map(({ state }) => [state.nowMs, isApproved(state)])).toEqual([
    [1005, true],
    [1000, false],
  ]);
  fork.reset();
  expect(fork.state.nowMs).toBe(1005);
  world.reset();
  expect([fork, fresh].map(({ state }) => isApproved(state))).toEqual([true, false]);
});

test("applies each timed event once, at its time", () => {
  const timed = [
    { atMs: 1010, change: created },
    { atMs: 1020, change: archived },
  ];
  const { world } = worldOf({ type: "frozen" }, stateWith(timed));
  const seen = [9, 1, 9, 1].map((ms) => {
    world.advanceBy(ms);
    return isApproved(world.state);
  });
  expect(seen).toEqual([false, true, true, false]);
  world.perform([created]);
  world.advanceBy(100);
  expect(isApproved(world.state)).toBe(true);
});

test("counts every request, and calls by their operation", () => {
  const { world } = worldOf({ type: "frozen" }, stateWith([], [{ operationId: "a", nth: 2, change: created }]));
  world.countRequest("a");
  world.countRequest("b");
  world.countRequest(undefined);
  expect([world.state.counter, isApproved(world.state)]).toEqual([3, false]);
  expect(isApproved(world.countRequest("a"))).toBe(true);
});

test("refuses to go back in time, or beyond its end", () => {
  expect(() => advancedTo(stateWith(), 999)).toThrow("virtual time does not go back");
  expect(() => advancedTo(stateWith(), virtualTimeMsMax + 1)).toThrow("virtual time ends with the year 9999");
  expect(advancedTo(stateWith(), virtualTimeMsMax).nowMs).toBe(virtualTimeMsMax);
});

test("skips an event that no longer applies", () => {
  const gone = [
    { atMs: 1001, change: { type: "user-deactivated", userId: "gone" } },
    { atMs: 1001, change: { type: "reassignment-completed", contract: "gone" } },
    { atMs: 1001, change: { type: "reassignment-begun", contract: "gone", target: "a::1220ab" } },
    { atMs: 1002, change: created },
  ] as const;
  expect(isApproved(advancedTo(stateWith(gone), 1002))).toBe(true);
});

test("keeps past events of a plan until it is full, then only pending ones", () => {
  const at = (atMs: number, count: number) => ({
    timed: Array.from({ length: count }, () => ({ atMs, change: created })),
    calls: [],
    responses: [],
  });
  const few = withPlanned(advancedTo(withPlanned(stateWith(), at(1001, 1)), 1001), at(1002, 1));
  expect([few.plan.timed.length, few.timedDone]).toEqual([2, 1]);
  const full = withPlanned(few, at(1003, plannedMax - 1));
  expect([full.plan.timed.length, full.timedDone]).toEqual([plannedMax, 0]);
  expect(isApproved(advancedTo(full, 1003))).toBe(true);
});

test("reading the state changes nothing: neither time nor the view of a further participant", () => {
  const initial = stateWith();
  const further = { ...initial, participants: new Map([["bank", { ...initial.ledger, participantId: "bank" }]]) };
  const { wall, world } = worldOf({ type: "running", speed: 1 }, further);
  const bank = world.participant("bank");
  wall.nowMs = 500;
  const [seen, whole] = [bank.state, world.whole];
  expect([bank.state === seen, world.whole === whole, seen.nowMs, seen.ledger.participantId]).toEqual([
    true,
    true,
    1000,
    "bank",
  ]);
  bank.elapse();
  expect([world.state.nowMs, bank.state.nowMs, bank.state.ledger.participantId]).toEqual([1500, 1500, "bank"]);
});
