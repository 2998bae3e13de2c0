/** Bytes in parts, in order, at any depth. */
export type Parts = Uint8Array | readonly Parts[];

/** The bytes of all parts. There may be more parts than a call can have arguments. */
export function joined(parts: Parts): Uint8Array {
  const whole = new Uint8Array(lengthOf(parts));
  copyTo(whole, 0, parts);
  return whole;
}

function lengthOf(parts: Parts): number {
  if (parts instanceof Uint8Array) return parts.length;
  return parts.reduce((length, part) => length + lengthOf(part), 0);
}

/** Copies the parts to this position, and gives the position after them. */
function copyTo(whole: Uint8Array, from: number, parts: Parts): number {
  if (!(parts instanceof Uint8Array)) return parts.reduce((at, part) => copyTo(whole, at, part), from);
  whole.set(parts, from);
  return from + parts.length;
}
