/** A digest of a text: its length and two 32-bit hashes. Not cryptographic. */
export function digestOf(text: string): string {
  let [left, right] = [0x811c9dc5, 0x01000193];
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    left = Math.imul(left ^ code, 0x01000193);
    right = Math.imul(right ^ code, 0x5bd1e995) ^ (right >>> 15);
  }
  return `${text.length}.${(left >>> 0).toString(36)}.${(right >>> 0).toString(36)}`;
}
