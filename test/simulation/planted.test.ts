import { beforeAll, expect, test } from "vitest";
import { plantedFaults } from "./_planted.ts";
import { shrink, shrunkText, walkOf } from "./_simulate.ts";
import { openStock, type Stock } from "./_stock.ts";

/** A fault that is not found within so many requests would not be found by the suite either. */
const requestsMax = 2000;
const eventsMax = 3;

let stock: Stock;
beforeAll(async () => {
  stock = await openStock();
});

test.each(Object.keys(plantedFaults))("finds that %s, and shrinks the walk to a few events", async (name) => {
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
});
