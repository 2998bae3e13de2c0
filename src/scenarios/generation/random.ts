/** A random source with a fixed seed. */
export interface Random {
  /** An integer from 0, less than the limit. */
  below(limit: number): number;
  /** True with this probability, from 0 to 1. */
  happens(probability: number): boolean;
}

/** The random source of the nth entity of a kind. */
export function randomOf(seed: number, kind: string, index = 0): Random {
  let state = hashOf(`${seed}/${kind}/${index}`);
  const next = () => {
    // Mulberry32.
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return { below: (limit) => Math.floor(next() * limit), happens: (probability) => next() < probability };
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}

/** A derived seed of 31 bits. */
export function seedOf(seed: number, kind: string, index = 0): number {
  return hashOf(`${seed}/${kind}/${index}`) >>> 1;
}
