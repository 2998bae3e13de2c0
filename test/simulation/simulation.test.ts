import { expect, test } from "vitest";
import { shrink, shrunkText, walkOf } from "./_simulate.ts";
import { openStock } from "./_stock.ts";

const requestsWanted = 20_000;
/** The walks are the same in every run; `npm run nightly` takes others. */
const firstSeed = 1;

test(`${requestsWanted} requests of random walks break no invariant and no rule`, { timeout: 240_000 }, async () => {
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
});
