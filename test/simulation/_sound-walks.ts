import { expect } from "vitest";
import { shrink, shrunkText, walkOf } from "./_simulate.ts";
import { openStock } from "./_stock.ts";

/** The walks are the same in every run; `npm run nightly` takes others. */
const firstSeed = 1;

/** Takes random walks of so many requests in all, and fails with the shortest walk that breaks the same as one of them. */
export async function expectSoundWalks(requestsWanted: number): Promise<void> {
  const stock = await openStock();
  let requests = 0;
  for (let seed = firstSeed; requests < requestsWanted; seed += 1) {
    const taken = await walkOf(seed, stock);
    requests += taken.requests;
    if (taken.broken.length === 0) continue;
    const text = shrunkText(await shrink(seed, stock, taken));
    expect.fail(`the walk of seed ${seed} breaks:\n${text}\nSee it again: npm run simulate -- --seed ${seed}`);
  }
  expect(requests).toBeGreaterThanOrEqual(requestsWanted);
}
