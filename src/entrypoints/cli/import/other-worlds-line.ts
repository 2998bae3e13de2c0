import { worldList } from "../../../scenarios/inference/read-world.ts";

interface ReadWorldOf {
  readonly world: string;
  readonly otherWorlds: ReadonlyMap<string, number>;
}

/** How many exchanges of other worlds are skipped, and the flag that chooses a world; undefined if there are none. */
export function otherWorldsLine({ world, otherWorlds }: ReadWorldOf): string | undefined {
  if (otherWorlds.size === 0) return undefined;
  const count = [...otherWorlds.values()].reduce((sum, calls) => sum + calls, 0);
  const exchanges = `${count} ${count === 1 ? "exchange" : "exchanges"}`;
  return `skipped, other worlds than ${world}: ${exchanges} of ${worldList(otherWorlds)}. Choose one with --world NAME.`;
}
