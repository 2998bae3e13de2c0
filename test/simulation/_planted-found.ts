import { expect } from "vitest";
import { plantedFaults } from "./_planted.ts";
import { shrink, shrunkText, walkOf } from "./_simulate.ts";
import type { Stock } from "./_stock.ts";

/** A fault that is not found within so many requests would not be found by the suite either. */
const requestsMax = 2000;
const eventsMax = 3;

/** Fails unless random walks find the planted fault of this name, and are shrunk to a few events. */
export async function expectPlantedFound(name: string, stock: Stock): Promise<void> {
  const fault = plantedFaults[name];
  if (fault === undefined) throw new Error(name);
  for (let seed = 1, requests = 0; requests < requestsMax; seed += 1) {
    const taken = await walkOf(seed, stock, fault.plant);
    requests += taken.requests;
    if (taken.broken.length === 0) continue;
    expect(taken.broken[0]?.invariant, `seed ${seed}`).toMatch(fault.breaks);
    const shortest = await shrink(seed, stock, taken, fault.plant);
    expect(shortest.taken.broken[0]?.invariant).toBe(taken.broken[0]?.invariant);
    expect(shortest.walk.events.length, shrunkText(shortest)).toBeLessThanOrEqual(eventsMax);
    return;
  }
  expect.fail(`not found within ${requestsMax} requests`);
}
