/** A short text that tells long texts apart, so that a memory need not hold them: two sums of 32 bits and the length. */
export function digestOf(text: string): string {
  let [left, right] = [0x811c9dc5, 0x01000193];
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    left = Math.imul(left ^ code, 0x01000193);
    right = Math.imul(right ^ code, 0x5bd1e995) ^ (right >>> 15);
  }
  return `${text.length}.${(left >>> 0).toString(36)}.${(right >>> 0).toString(36)}`;
}
