import { randomFrom } from "../_random.ts";
import type { FuzzTarget } from "./_fuzz-kind.ts";

/** The random source of the nth input of a seed. Each input has its own, so that it can be drawn alone. */
function randomOf(seed: number, number: number): () => number {
  return randomFrom(Math.imul(seed, 0x9e3779b1) ^ Math.imul(number + 1, 0x85ebca6b));
}

/** The problem that the nth input of a seed shows; undefined if the target handles it. */
export async function attempt(
  target: FuzzTarget,
  seed: number,
  number: number,
  onDrawn: () => void = () => undefined,
): Promise<string | undefined> {
  const finding = await attempted(target, randomOf(seed, number), onDrawn);
  const polluted = cleanPrototypes();
  if (polluted.length === 0) return finding;
  return `prototypes have new members: ${polluted.join(", ")}\n${shownInput(target, seed, number)}`;
}

/** The nth input as readable text, if its kind can show it. */
export function shownInput(target: FuzzTarget, seed: number, number: number): string {
  return target.show?.(randomOf(seed, number)) ?? "(this kind shows no inputs)";
}

async function attempted(target: FuzzTarget, random: () => number, onDrawn: () => void): Promise<string | undefined> {
  try {
    return await target.attempt(random, onDrawn);
  } catch (error) {
    return `the attempt throws\n${error instanceof Error ? error.stack : String(error)}`;
  }
}

const prototypes: readonly (readonly [string, object, number])[] = [
  ["Object", Object.prototype, Reflect.ownKeys(Object.prototype).length],
  ["Array", Array.prototype, Reflect.ownKeys(Array.prototype).length],
  ["Function", Function.prototype, Reflect.ownKeys(Function.prototype).length],
  ["String", String.prototype, Reflect.ownKeys(String.prototype).length],
  ["Map", Map.prototype, Reflect.ownKeys(Map.prototype).length],
];

/** The new members of prototypes. They are removed, so that only one input is reported for them. */
function cleanPrototypes(): readonly string[] {
  return prototypes.flatMap(([name, prototype, count]) => {
    const added = Reflect.ownKeys(prototype).slice(count);
    for (const key of added) Reflect.deleteProperty(prototype, key);
    return added.map((key) => `${name}.${String(key)}`);
  });
}
