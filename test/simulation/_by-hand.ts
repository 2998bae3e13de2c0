import { formatJson, isJsonObject, type Json, jsonOf } from "../../src/foundation/json/json.ts";
import type { WorldState } from "../../src/simulator/world/world-state.ts";
import { stateAt } from "../../src/stub/hosting/state-at.ts";
import type { WalkEvent } from "./_event.ts";
import type { Simulation } from "./_simulation.ts";
import { effectsBetween } from "./_transition.ts";
import type { Act, WatchedWorld } from "./_watched-world.ts";

export type EventOf<Type extends WalkEvent["type"]> = Extract<WalkEvent, { readonly type: Type }>;

/** Changes a world over the control API. A refused request changes nothing. */
export async function byHand(
  simulation: Simulation,
  event: EventOf<"advance" | "reset" | "plan" | "begin" | "complete">,
): Promise<string> {
  const watched = simulation.worldOf(event.world);
  const before = watched.state;
  simulation.touch(simulation.idOf(event.world));
  const [path, body] = requestOf(event);
  const status = await request(simulation, event.world, path, body);
  const after = watched.state;
  if (status >= 400) {
    for (const problem of effectsBetween(before, after))
      simulation.breaks("no effect", `${path} got ${status}, and ${problem}`);
    return String(status);
  }
  done(simulation, watched, event, before);
  return String(status);
}

function requestOf(event: EventOf<"advance" | "reset" | "plan" | "begin" | "complete">): readonly [string, Json] {
  switch (event.type) {
    case "advance":
      return ["clock/advance", { by: event.by }];
    case "reset":
      return ["reset", {}];
    case "plan":
      return ["plan", { plan: event.entries }];
    case "begin":
      return ["reassignments/begin", { contract: event.contract, to: event.to }];
    case "complete":
      return ["reassignments/complete", { contract: event.contract }];
  }
}

function done(
  simulation: Simulation,
  watched: WatchedWorld,
  event: EventOf<"advance" | "reset" | "plan" | "begin" | "complete">,
  { nowMs }: WorldState,
): void {
  const { registry, plan } = watched.state;
  switch (event.type) {
    case "reset":
      if (watched.state !== watched.initial && watched.hosted.world.clockMode.type === "frozen")
        simulation.breaks("reset", "the world differs from its initial state");
      if (plan !== watched.initial.plan) simulation.breaks("reset", "the plan differs from the initial one");
      watched.restarted();
      return;
    case "plan":
      watched.acts.push({ type: "plan", nowMs, entries: event.entries });
      return;
    case "begin":
      if (registry.contracts.get(event.contract)?.assignment.type !== "in-flight")
        simulation.breaks("reassignment", `${event.contract} is not in flight`);
      watched.acts.push({ type: "begin", nowMs, contract: event.contract, to: event.to });
      return;
    case "complete":
      if (registry.contracts.get(event.contract)?.assignment.type !== "assigned")
        simulation.breaks("reassignment", `${event.contract} has no assignment`);
      watched.acts.push({ type: "complete", nowMs, contract: event.contract });
      return;
    case "advance":
      watched.acts.push({ type: "advance", nowMs: watched.state.nowMs });
      return;
  }
}

async function request(simulation: Simulation, world: number, path: string, body: Json): Promise<number> {
  const target = `/__understudy/worlds/${simulation.idOf(world)}/${path}`;
  const response = await simulation.control("POST", target, formatJson(body));
  const status = response.type === "response" ? response.status : 0;
  if (![200, 201, 400, 404, 409].includes(status)) simulation.breaks("control", `${path} gets ${status}`);
  return status;
}

/** A fork equals its origin at that point in time, and leaves the origin unchanged. */
export async function fork(simulation: Simulation, { world, as, from }: EventOf<"fork">): Promise<string> {
  const origin = simulation.worldOf(world);
  const wanted = wantedOf(origin, from);
  const body = formatJson(typeof from === "number" ? { at: from } : { from });
  const target = `/__understudy/worlds/${simulation.idOf(world)}/fork`;
  const response = await simulation.control("POST", target, body);
  const status = response.type === "response" ? response.status : 0;
  if (status !== (wanted === undefined ? 404 : 201))
    simulation.breaks(
      "fork",
      `from ${from} gets ${status}, and that point in time is ${wanted === undefined ? "gone" : "there"}`,
    );
  const json = response.type === "response" ? jsonOf(response.body.text()) : undefined;
  if (wanted === undefined || !isJsonObject(json)) return String(status);
  const id = String(json["id"]);
  simulation.watch(as, id, wanted.acts);
  const state = simulation.watched.get(id)?.state;
  if (
    state?.ledger !== wanted.state.ledger ||
    state.registry !== wanted.state.registry ||
    state.plan !== wanted.state.plan
  )
    simulation.breaks("fork", `from ${from} starts in another state`);
  return `${status} ${id}`;
}

interface Wanted {
  readonly state: WorldState;
  readonly acts: readonly Act[];
}

function wantedOf(origin: WatchedWorld, from: "now" | "start" | number): Wanted | undefined {
  if (from === "now") return { state: origin.state, acts: origin.acts };
  if (from === "start") return { state: origin.initial, acts: origin.begun };
  const state = stateAt(origin.hosted, from);
  if (state === undefined) return undefined;
  const { journal } = origin.hosted;
  const record = from === 0 ? journal.after(0, 1)[0] : journal.at(from);
  const place = origin.acts.findIndex(
    (act) => act.type === "request" && act.entry !== undefined && act.entry === record?.entry,
  );
  // Before the first request, exchange 0 is the present.
  if (place < 0) return { state, acts: record === undefined ? origin.acts : [] };
  return { state, acts: origin.acts.slice(0, from === 0 ? place : place + 1) };
}

/** A fork goes away with everything in it; the default world stays. */
export async function remove(simulation: Simulation, { world }: EventOf<"remove">): Promise<string> {
  const id = simulation.idOf(world);
  const watched = simulation.worldOf(world);
  const response = await simulation.control("DELETE", `/__understudy/worlds/${id}`);
  const status = response.type === "response" ? response.status : 0;
  if (status !== (id === "default" ? 409 : 200)) simulation.breaks("remove", `${id} gets ${status}`);
  if (status !== 200) return String(status);
  simulation.checkClientRules(watched);
  simulation.forget(id);
  if (simulation.hosting.worlds.has(id)) simulation.breaks("remove", `${id} is still there`);
  return String(status);
}
