/**
 * Whether a value has the fields of a decoded message, in much less time than to encode both. Members that the message does
 * not have are ignored, as they are when the value is written.
 */
export function isSameMessage(value: unknown, message: unknown): boolean {
  if (typeof value !== "object" || typeof message !== "object" || value === null || message === null)
    return value === message;
  if (Array.isArray(message)) return Array.isArray(value) && areSame(value, message);
  if (message instanceof Uint8Array) return value instanceof Uint8Array && areSameBytes(value, message);
  if (message instanceof Map) return value instanceof Map && areSame([...value], [...message]);
  for (const name of Object.keys(message))
    if (!isSameMessage(Reflect.get(value, name), Reflect.get(message, name))) return false;
  return true;
}

function areSameBytes(left: Uint8Array, right: Uint8Array): boolean {
  if (left.length !== right.length) return false;
  for (let index = 0; index < right.length; index += 1) if (left[index] !== right[index]) return false;
  return true;
}

function areSame(values: ArrayLike<unknown>, messages: ArrayLike<unknown>): boolean {
  if (values.length !== messages.length) return false;
  for (let index = 0; index < messages.length; index += 1)
    if (!isSameMessage(values[index], messages[index])) return false;
  return true;
}
