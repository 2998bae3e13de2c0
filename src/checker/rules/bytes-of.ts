/** Fixed overhead of a string, an object and a number, in bytes. */
const [stringBytes, objectBytes, numberBytes] = [24, 40, 8];

/** The size of a string in memory: an upper bound of two bytes per character. */
export function bytesOfText(text: string): number {
  return stringBytes + 2 * text.length;
}

/** The approximate size of a value of strings, numbers, lists, maps and objects in memory. */
export function bytesOf(value: unknown): number {
  if (typeof value === "string") return bytesOfText(value);
  if (typeof value !== "object" || value === null) return numberBytes;
  let bytes = objectBytes;
  if (value instanceof Map) for (const [key, element] of value) bytes += bytesOf(key) + bytesOf(element);
  else if (value instanceof Set || Array.isArray(value)) for (const element of value) bytes += bytesOf(element);
  else if (isRecord(value)) for (const member in value) bytes += 2 * member.length + bytesOf(value[member]);
  return bytes;
}

/** Remembered values are plain objects without inherited members. */
function isRecord(value: object): value is Readonly<Record<string, unknown>> {
  return !Array.isArray(value);
}
