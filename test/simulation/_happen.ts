import type { HandlerResponse } from "../../src/foundation/http/handler.ts";
import { byHand, type EventOf, fork, remove } from "./_by-hand.ts";
import type { WalkEvent } from "./_event.ts";
import { look } from "./_look.ts";
import { listAll } from "./_pages.ts";
import { rebuild } from "./_rebuild.ts";
import type { Simulation } from "./_simulation.ts";

/** Runs an event and returns a short description of its result. The simulation records broken invariants. */
export async function happen(simulation: Simulation, event: WalkEvent): Promise<string> {
  switch (event.type) {
    case "request":
      return statusOf(await simulation.send(event));
    case "together":
      return together(simulation, event);
    case "pages":
      return listAll(simulation, event.world, event.size);
    case "wall":
      await simulation.time.move(event.byMs);
      return "";
    case "look":
      return look(simulation, event);
    case "rebuild":
      return rebuild(simulation, simulation.worldOf(event.world));
    case "audit":
      simulation.lookThrough();
      return "";
    case "reload":
      await simulation.reload(event.clock);
      return "";
    case "fork":
      return fork(simulation, event);
    case "remove":
      return remove(simulation, event);
    default:
      return byHand(simulation, event);
  }
}

function statusOf(response: HandlerResponse | undefined): string {
  if (response === undefined) return "held back";
  return response.type === "response" ? String(response.status) : response.kind;
}

/** Clients do not wait for each other; a delayed response arrives when it is due. */
async function together(simulation: Simulation, { calls }: EventOf<"together">): Promise<string> {
  const received: string[] = [];
  for (const call of calls) received.push(statusOf(await simulation.send(call)));
  return received.join(", ");
}
