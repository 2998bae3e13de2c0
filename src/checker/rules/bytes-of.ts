/** Beside its characters, and beside its members. */
const [stringBytes, objectBytes, numberBytes] = [24, 40, 8];

/** Bytes that a text takes: two for each character, though most take one. */
export function bytesOfText(text: string): number {
  return stringBytes + 2 * text.length;
}

/** Bytes that a value of texts, numbers, lists, maps and objects takes, or nearly. */
export function bytesOf(value: unknown): number {
  if (typeof value === "string") return bytesOfText(value);
  if (typeof value !== "object" || value === null) return numberBytes;
  let bytes = objectBytes;
  if (value instanceof Map) for (const [key, element] of value) bytes += bytesOf(key) + bytesOf(element);
  else if (value instanceof Set || Array.isArray(value)) for (const element of value) bytes += bytesOf(element);
  else if (isRecord(value)) for (const member in value) bytes += 2 * member.length + bytesOf(value[member]);
  return bytes;
}

/** What is remembered has plain members alone, none inherited. */
function isRecord(value: object): value is Readonly<Record<string, unknown>> {
  return !Array.isArray(value);
}
