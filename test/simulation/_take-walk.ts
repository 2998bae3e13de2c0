import type { FailedResponse } from "./_broken.ts";
import type { Walk, WalkEvent } from "./_event.ts";
import { happen } from "./_happen.ts";
import { type Planted, Simulation } from "./_simulation.ts";
import type { Stock } from "./_stock.ts";

/** An event with a short description of its result. */
interface Happened {
  readonly event: WalkEvent;
  readonly received: string;
}

/** A walk that was taken, to its end or to the first event that broke something. */
export interface Taken {
  readonly happened: readonly Happened[];
  readonly requests: number;
  /** Of all responses. */
  readonly digest: string;
  readonly broken: readonly FailedResponse[];
}

export async function runSequence({ beginning, events }: Walk, stock: Stock, planted: Planted = {}): Promise<Taken> {
  const simulation = await Simulation.open(beginning, stock, planted);
  simulation.lookThrough();
  const happened: Happened[] = [];
  let broken: readonly FailedResponse[] = [];
  for (const event of events) {
    happened.push({ event, received: await happen(simulation, event) });
    broken = simulation.broken();
    if (broken.length > 0) break;
  }
  if (broken.length === 0) broken = await ended(simulation);
  simulation.close();
  return { happened, requests: simulation.requests, digest: simulation.digest(), broken };
}

/** Checks at the end of the walk: delayed responses, and kept states. */
async function ended(simulation: Simulation): Promise<readonly FailedResponse[]> {
  await simulation.time.wakeAll();
  for (const watched of simulation.watched.values()) simulation.checkClientRules(watched);
  simulation.lookThrough();
  return simulation.broken();
}
