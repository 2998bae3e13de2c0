import { expect, test } from "vitest";
import { randomFrom } from "../_random.ts";
import { seed } from "../_seed.ts";
import { cutsOf, openedAfter, type WrittenStore, writtenStores } from "./_cut-files.ts";

const refusal =
  /^\S+ (?:cannot be used as a store: .* Restore a copy, or use another file|is empty and not a store\. .*)\.$/;

test("a SQLite file or its log, cut at any byte, opens with a prefix of the acknowledged changes, or is refused", async () => {
  const { open, closed } = await writtenStores();
  // Each change of the log but the last is the newest one after some cut.
  expect((await statesAfterCuts(open, seed)).size).toBeGreaterThan(10);
  // A database without a log opens whole or not at all.
  const whole = closed.states.length - 1;
  expect([...(await statesAfterCuts(closed, seed))].filter((state) => state !== whole)).toEqual([]);
});

/** The states with which a store opens after the cuts at which it is not refused. */
async function statesAfterCuts(store: WrittenStore, seed: number): Promise<ReadonlySet<number>> {
  const opened = new Set<number>();
  for (const cut of cutsOf(store, randomFrom(seed), 100)) {
    const outcome = await openedAfter(cut, store);
    if (outcome.type === "opened") opened.add(outcome.state);
    const isExpected = outcome.type === "opened" ? outcome.state >= 0 : refusal.test(outcome.reason);
    expect({ seed, cut, outcome, isExpected }).toMatchObject({ isExpected: true });
  }
  return opened;
}
