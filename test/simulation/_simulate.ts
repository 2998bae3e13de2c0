import { drawWalk } from "./_draw-walk.ts";
import type { Walk } from "./_event.ts";
import { tableOfWalk } from "./_show.ts";
import { shrunk } from "./_shrink.ts";
import type { Planted } from "./_simulation.ts";
import type { Stock } from "./_stock.ts";
import { runSequence, type Taken } from "./_take-walk.ts";

const soundly = (): Planted => ({});

/** Of so many seeds one walk is taken twice. */
const twiceEvery = 10;

/** The walk of a seed; now and then it is taken again, and has to come to the same bytes. */
export async function walkOf(seed: number, stock: Stock, plant: () => Planted = soundly): Promise<Taken> {
  const walk = drawWalk(seed, stock);
  const taken = await runSequence(walk, stock, plant());
  if (taken.broken.length > 0 || seed % twiceEvery !== 0) return taken;
  const again = await runSequence(walk, stock, plant());
  const requests = taken.requests + again.requests;
  if (again.digest === taken.digest) return { ...taken, requests };
  return { ...taken, requests, broken: [{ invariant: "determinism", what: "the same walk gets other responses" }] };
}

/** A walk that broke something, as short as it gets. */
export interface Shrunk {
  readonly walk: Walk;
  readonly taken: Taken;
}

/** Makes a walk shorter that still breaks the same invariant. */
export async function shrink(
  seed: number,
  stock: Stock,
  broken: Taken,
  plant: () => Planted = soundly,
): Promise<Shrunk> {
  const [first] = broken.broken;
  const { beginning } = drawWalk(seed, stock);
  const walk = { beginning, events: broken.happened.map(({ event }) => event) };
  const breaks = async (candidate: Walk) => {
    const { broken: found } = await runSequence(candidate, stock, plant());
    return found.some(({ invariant }) => invariant === first?.invariant);
  };
  const shortest = first?.invariant === "determinism" ? walk : await shrunk(walk, breaks);
  return { walk: shortest, taken: await runSequence(shortest, stock, plant()) };
}

/** What is printed of it. */
export function shrunkText({ walk, taken }: Shrunk): string {
  return tableOfWalk(walk.beginning, taken);
}
