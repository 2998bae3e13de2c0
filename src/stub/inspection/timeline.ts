import type { JsonObject } from "../../foundation/json/json.ts";
import type { WorldChange } from "../../simulator/world/plan.ts";
import type { World } from "../../simulator/world/world.ts";
import type { WorldState } from "../../simulator/world/world-state.ts";
import type { PointInTime } from "../hosting/hosting.ts";
import type { Journal } from "../journal/journal.ts";
import { inTurn } from "./inspected-world.ts";

/** A time in which a contract was on its way between synchronizers. */
interface Window {
  readonly contract: string;
  readonly fromMs: number;
  readonly untilMs: number | undefined;
  readonly source: string;
  readonly target: string;
}

/** What happened when in virtual time, and what can be done by hand. `operations` are those whose calls can go wrong. */
export function timelineJson(
  world: World,
  journal: Journal<PointInTime | undefined>,
  operations: readonly string[],
): JsonObject {
  const { state } = world;
  const pointsInTime = inTurn(journal.after(0, Number.MAX_SAFE_INTEGER)).flatMap(
    ({ pointInTime }) => pointInTime ?? [],
  );
  const begunMs = pointsInTime[0]?.before.nowMs ?? state.nowMs;
  const { ledger, registry } = state;
  const alias = (id: string) => ledger.synchronizers.get(id)?.alias ?? id;
  return {
    startedAt: iso(begunMs),
    now: iso(state.nowMs),
    isRunning: world.clockMode.type === "running",
    plan: planJson(state, alias),
    windows: windowsOf(pointsInTime, state).map(({ contract, fromMs, untilMs, source, target }) => ({
      contract,
      from: iso(fromMs),
      until: untilMs === undefined ? null : iso(untilMs),
      source: alias(source),
      target: alias(target),
    })),
    contracts: [...registry.contracts.values()].map(({ name, assignment }) => ({
      name,
      isInFlight: assignment.type === "in-flight",
      synchronizer: alias(assignment.type === "assigned" ? assignment.synchronizerId : assignment.target),
    })),
    synchronizers: [...ledger.synchronizers.values()].map((each) => each.alias),
    operations,
  };
}

function planJson(
  { plan, timedDone, callCounts, responseCounts }: WorldState,
  alias: (id: string) => string,
): readonly JsonObject[] {
  return [
    ...plan.timed.map(({ atMs, change }, index) => ({
      at: iso(atMs),
      on: null,
      nth: null,
      what: changeText(change, alias),
      isDone: index < timedDone,
    })),
    ...plan.calls.map(({ operationId, nth, change }) => ({
      at: null,
      on: operationId,
      nth,
      what: changeText(change, alias),
      isDone: (callCounts.get(operationId) ?? 0) >= nth,
    })),
    ...plan.responses.map(({ operationId, nth, times, timing, response }, index) => ({
      at: null,
      on: operationId,
      nth,
      what: `${timing} its effect: ${response.type}${times === 1 ? "" : `, ${times} times`}`,
      isDone: (responseCounts[index] ?? 0) >= nth + times - 1,
    })),
  ];
}

function changeText(change: WorldChange, alias: (id: string) => string): string {
  switch (change.type) {
    case "reassignment-begun":
      return `${change.contract} begins its way to ${alias(change.target)}`;
    case "reassignment-completed":
      return `${change.contract} arrives`;
    case "user-deactivated":
      return `${change.userId} is deactivated`;
    case "synchronizer-connected":
    case "synchronizer-disconnected":
      return `${alias(change.synchronizerId)} is ${change.type === "synchronizer-connected" ? "connected" : "disconnected"}`;
    default:
      return change.type.replaceAll("-", " ");
  }
}

/** Told from the states that the journal still has, the present one last; a window between two of them is not seen. */
function windowsOf(pointsInTime: readonly PointInTime[], now: WorldState): readonly Window[] {
  const states = pointsInTime.flatMap(({ before, after }) => [before, after]);
  const windows: Window[] = [];
  const open = new Map<string, Window>();
  let last: WorldState["registry"]["contracts"] | undefined;
  let lastMs = states[0]?.nowMs ?? now.nowMs;
  for (const state of [...states, now]) {
    const { contracts } = state.registry;
    if (contracts !== last)
      for (const { name, assignment } of contracts.values()) {
        const known = open.get(name);
        if (assignment.type === "in-flight" && known === undefined) {
          const { source, target } = assignment;
          open.set(name, { contract: name, fromMs: beganMs(state, name, lastMs), untilMs: undefined, source, target });
        } else if (assignment.type === "assigned" && known !== undefined) {
          windows.push({ ...known, untilMs: endedMs(state, name, known.fromMs) });
          open.delete(name);
        }
      }
    last = contracts;
    lastMs = state.nowMs;
  }
  return [...windows, ...open.values()];
}

/** The plan knows to the millisecond when it let a reassignment begin or end; one by hand is seen at the next moment. */
function beganMs(state: WorldState, contract: string, seenMs: number): number {
  return plannedMs(state, "reassignment-begun", contract) ?? Math.max(seenMs, 0);
}

function endedMs(state: WorldState, contract: string, fromMs: number): number {
  const planned = plannedMs(state, "reassignment-completed", contract);
  return planned !== undefined && planned >= fromMs ? planned : state.nowMs;
}

function plannedMs({ plan, timedDone }: WorldState, type: WorldChange["type"], contract: string): number | undefined {
  const done = plan.timed.slice(0, timedDone);
  return done.findLast(({ change }) => change.type === type && "contract" in change && change.contract === contract)
    ?.atMs;
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
