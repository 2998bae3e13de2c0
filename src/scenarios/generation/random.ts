/** Draws that depend on a seed and a place alone. */
export interface Random {
  /** A whole number from 0 up to the limit, which is not reached. */
  below(limit: number): number;
  /** Whether something happens that happens so often, from 0 to 1. */
  happens(probability: number): boolean;
}

/** The draws for the nth thing of a kind. */
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

/** A number of 31 bits for whoever wants a seed of its own. */
export function seedOf(seed: number, kind: string, index = 0): number {
  return hashOf(`${seed}/${kind}/${index}`) >>> 1;
}
