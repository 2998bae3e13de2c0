import type { HeaderList } from "../../foundation/http/header.ts";
import { contracts } from "../../foundation/spec/contracts.ts";
import {
  type Delay,
  everyCall,
  lastCallOf,
  type NetworkFaults,
  type PlannedResponse,
  type ResponseEvent,
  type WorldChange,
} from "../../simulator/world/plan.ts";
import type { World } from "../../simulator/world/world.ts";
import type { WorldState } from "../../simulator/world/world-state.ts";
import type { components } from "../control/generated/control-types.ts";
import type { StatesAround } from "../hosting/hosted-world.ts";
import type { Journal } from "../journal/journal.ts";
import { inTurn } from "./inspected-world.ts";

type TimelineJson = components["schemas"]["Timeline"];

/** A period in which a contract was in flight between synchronizers. */
interface Window {
  readonly contract: string;
  readonly fromMs: number;
  readonly untilMs: number | undefined;
  readonly source: string;
  readonly target: string;
}

/** Renders the timeline: clock, plan and reassignments. `operations` are those that faults can be injected into. */
export function timelineJson(
  world: World,
  journal: Journal<StatesAround | undefined>,
  operations: string[],
): TimelineJson {
  const { state } = world;
  const contexts = inTurn(journal.after(0, Number.MAX_SAFE_INTEGER)).flatMap(({ context }) => context ?? []);
  const startedMs = contexts[0]?.before.nowMs ?? state.nowMs;
  const { ledger, registry } = state;
  const alias = (id: string) => ledger.synchronizers.get(id)?.alias ?? id;
  return {
    startedAt: iso(startedMs),
    now: iso(state.nowMs),
    isRunning: world.clockMode.type === "running",
    plan: planJson(state, contexts, alias),
    windows: windowsOf(contexts, state).map(({ contract, fromMs, untilMs, source, target }) => ({
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
  contexts: readonly StatesAround[],
  alias: (id: string) => string,
): TimelineJson["plan"] {
  return [
    ...plan.timed.map(({ atMs, change }, index) => ({
      at: iso(atMs),
      on: null,
      nth: null,
      description: changeText(change, alias),
      isDone: index < timedDone,
    })),
    ...plan.calls.map(({ operationId, nth, change }) => ({
      at: reachedAt(contexts, (state) => (state.callCounts.get(operationId) ?? 0) >= nth),
      on: operationId,
      nth,
      description: changeText(change, alias),
      isDone: (callCounts.get(operationId) ?? 0) >= nth,
    })),
    ...plan.responses.map((event, index) => {
      const { operationId, nth, times, timing, response, headers, delay, network } = event;
      return {
        at: reachedAt(contexts, (earlier) => callsFor(earlier, event) >= nth),
        on: operationId,
        nth,
        description: `${timing === "after" ? "takes effect, then " : ""}${responseText(response)}${headersText(headers)}${delayText(delay)}${networkText(network)}${timesText(times)}`,
        isDone: (responseCounts[index]?.calls ?? 0) >= lastCallOf(event),
      };
    }),
  ];
}

/** The time of the first exchange that reached a state; null if none did, or if it is dropped. */
function reachedAt(contexts: readonly StatesAround[], isReached: (state: WorldState) => boolean): string | null {
  const reached = contexts.find(({ before, after }) => isReached(after) && !isReached(before));
  return reached === undefined ? null : iso(reached.after.nowMs);
}

/** The calls that a planned response has counted. Its place changes as entries are added. */
function callsFor({ plan, responseCounts }: WorldState, event: ResponseEvent): number {
  return responseCounts[plan.responses.indexOf(event)]?.calls ?? 0;
}

function responseText(response: PlannedResponse): string {
  switch (response.type) {
    case "own":
      return "its own response";
    case "error":
      return `${statusOf(response.code)} ${response.code}`;
    case "response":
    case "status":
      return String(response.status);
    case "reset":
      return "connection reset";
    case "timeout":
      return "no response";
    case "truncate":
      return `response truncated after ${response.bytes} bytes`;
  }
}

function headersText(headers: HeaderList = []): string {
  return headers.length === 0 ? "" : ` with ${headers.map(([name]) => name).join(", ")}`;
}

function statusOf(code: string): number {
  const http = contracts.errorCodes.codes.find((entry) => entry.code === code)?.http;
  if (http == null) throw new Error(`invariant: ${code} is not in contracts/error-codes.yaml`);
  return http;
}

function delayText(delay: Delay | undefined): string {
  if (delay === undefined) return "";
  if (delay.type === "fixed") return ` after ${delay.ms} ms`;
  return delay.type === "latency"
    ? ` after ${delay.ms} ms, ${delay.jitterMs} ms more or less`
    : ` after about ${delay.medianMs} ms`;
}

function networkText(network: NetworkFaults | undefined): string {
  if (network === undefined) return "";
  const { bytesPerSecond, slices, resetAfterBytes, slowCloseMs } = network;
  return [
    ...(bytesPerSecond === undefined ? [] : [`, at ${bytesPerSecond} bytes per second`]),
    ...(slices === undefined ? [] : [`, in slices of ${slices.bytes} bytes`]),
    ...(resetAfterBytes === undefined ? [] : [`, reset after ${resetAfterBytes} bytes`]),
    ...(slowCloseMs === undefined ? [] : [`, closed ${slowCloseMs} ms later`]),
  ].join("");
}

function timesText(times: number): string {
  if (times === everyCall) return ", every time";
  return times === 1 ? "" : `, ${times} times`;
}

function changeText(change: WorldChange, alias: (id: string) => string): string {
  switch (change.type) {
    case "reassignment-begun":
      return `${change.contract} is unassigned, in flight to ${alias(change.target)}`;
    case "reassignment-completed":
      return `${change.contract} is assigned`;
    case "user-deactivated":
      return `${change.userId} is deactivated`;
    case "synchronizer-connected":
    case "synchronizer-disconnected":
      return `${alias(change.synchronizerId)} is ${change.type === "synchronizer-connected" ? "connected" : "disconnected"}`;
    default:
      return change.type.replaceAll("-", " ");
  }
}

/** Derives windows from the kept states and the current one. A window between two consecutive states is not detected. */
function windowsOf(contexts: readonly StatesAround[], now: WorldState): readonly Window[] {
  const states = contexts.flatMap(({ before, after }) => [before, after]);
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

/** The exact time of a planned reassignment; for a manual one, the time of the next known state. */
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
