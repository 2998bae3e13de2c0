import { vi } from "vitest";
import { StateInvariants } from "../simulation/_world-state.ts";
import { openReplica } from "./_replicas.ts";
import { differencesFrom, type Writer } from "./_writer.ts";

/** The leases of replicas that were killed expire first. */
const patience = { timeout: 120_000, interval: 20 };

/** What the worlds of a store lack of the writes of their writers, have twice, or have against the invariants of the simulation. */
export async function storedProblems(
  url: string,
  writers: ReadonlyMap<string, readonly Writer[]>,
): Promise<readonly string[]> {
  const judge = await openReplica({ name: "judge", url, worldsMax: writers.size + 1 });
  const invariants = new StateInvariants();
  const problems: string[] = [];
  for (const [world, ofWorld] of writers) {
    const state = await vi.waitFor(async () => {
      await judge.ask("GET", `/w/${world}/v2/users`);
      const served = judge.hosting.worlds.get(world);
      if (served === undefined) throw new Error(`the world ${world} has an owner`);
      return served.world.whole;
    }, patience);
    const found = [
      ...ofWorld.flatMap((writer) => writer.problems),
      ...differencesFrom(ofWorld, state),
      ...invariants.problemsIn(state),
    ];
    problems.push(...found.map((problem) => `${world}: ${problem}`));
  }
  await judge.close();
  return problems;
}
