import type { Request } from "../../src/foundation/http/request.ts";
import { planFromNow } from "../../src/scenarios/files/plan/plan-from-now.ts";
import type { HostedWorld } from "../../src/stub/hosting/hosted-world.ts";
import type { Hosting } from "../../src/stub/hosting/hosting.ts";
import { beginReassignment, completeReassignment } from "../../src/stub/hosting/reassignment.ts";
import { responseText, type Simulation } from "./_simulation.ts";
import type { Act, WatchedWorld } from "./_watched-world.ts";
import { digestOf } from "./_world-state.ts";

/** Another process that starts from the same scenario, and to which the same is done, comes to the same bytes and the same state. */
export async function rebuild(simulation: Simulation, watched: WatchedWorld): Promise<string> {
  const hosting = simulation.host("frozen");
  const again = hosting.worlds.get("default");
  if (again === undefined) return "";
  const { acts } = watched;
  const isRunning = watched.hosted.world.clockMode.type === "running";
  for (const [place, act] of acts.entries()) {
    // With a running clock, planned events happen at the next request.
    if (isRunning || act.type === "advance") passTo(again, act.nowMs);
    const received = await repeat(simulation, hosting, again, act);
    const expected = act.type === "request" && act.response !== undefined ? responseText(act.response) : undefined;
    if (received === undefined || expected === undefined || received === expected) continue;
    simulation.breaks(
      "rebuild",
      `${described(act)} gets ${cut(received)}, and was ${cut(expected)} (act ${place + 1})`,
    );
    return "other bytes";
  }
  const { state } = watched;
  if (isRunning) passTo(again, state.nowMs);
  for (const part of ["ledger", "registry"] as const)
    if (digestOf(again.world.state[part]) !== digestOf(state[part]))
      simulation.breaks("rebuild", `the ${part} is another one`);
  return `${acts.length} acts`;
}

/** Gives the response where it is a request. */
async function repeat(
  simulation: Simulation,
  hosting: Hosting,
  { world }: HostedWorld,
  act: Act,
): Promise<string | undefined> {
  switch (act.type) {
    case "advance":
      return undefined;
    case "begin":
      beginReassignment(world, act.contract, act.to);
      return undefined;
    case "complete":
      completeReassignment(world, act.contract);
      return undefined;
    case "plan": {
      const found = planFromNow(act.entries, world.state);
      if (found.type === "planned") world.plan(found.events);
      return undefined;
    }
    case "request":
      return responseText(await simulation.time.withoutWaiting(async () => hosting.handler(forDefault(act.request))));
  }
}

/** The request to the one world that a stub has at its start. */
function forDefault(request: Request): Request {
  const headers = request.headers.filter(([name]) => name.toLowerCase() !== "understudy-world");
  return {
    ...request,
    headers,
    target: request.target.startsWith("/") ? `/w/default${request.target}` : request.target,
  };
}

function passTo({ world }: Pick<HostedWorld, "world">, nowMs: number): void {
  world.advanceBy(Math.max(0, nowMs - world.state.nowMs));
}

function described(act: Act): string {
  return act.type === "request" ? `${act.request.method} ${act.request.target.slice(0, 100)}` : act.type;
}

function cut(text: string): string {
  return text.slice(0, 300).trimEnd();
}
