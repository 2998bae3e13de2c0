import type { Json } from "../../../foundation/json/json.ts";
import { utf8Length } from "../../../foundation/text/utf8.ts";
import { objectOf, textOf } from "../_json-members.ts";

// Annotations of users: keys as Kubernetes has them, values of any text (facts, ledger-api 4.2).

const name = /^[A-Za-z0-9](?:[-_.A-Za-z0-9]{0,61}[A-Za-z0-9])?$/;
const prefixLabel = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/;
const prefixLengthMax = 253;

/** What is wrong with annotations as a request names them; undefined where nothing is. Values of deletions do not count. */
export function checkAnnotations(given: Readonly<Record<string, string>>, bytesMax: number): string | undefined {
  const misnamed = Object.keys(given).find((key) => !isAnnotationKey(key));
  if (misnamed !== undefined) return `Key prefix or name segment '${misnamed}' has invalid syntax`;
  return sizeOf(given) > bytesMax
    ? `annotations from field 'metadata.annotations' are larger than the limit of ${Math.floor(bytesMax / 1024)}kb`
    : undefined;
}

/** Given keys are set, keys with an empty value are deleted, the others stay. */
export function mergedAnnotations(
  before: Readonly<Record<string, string>>,
  given: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const merged = Object.entries(before).filter(([key]) => !Object.hasOwn(given, key));
  return Object.fromEntries([...merged, ...Object.entries(given).filter(([, value]) => value !== "")]);
}

/** The bytes of keys and values in UTF-8; a key to delete counts for nothing. */
export function sizeOf(annotations: Readonly<Record<string, string>>): number {
  let bytes = 0;
  for (const [key, value] of Object.entries(annotations))
    if (value !== "") bytes += utf8Length(key) + utf8Length(value);
  return bytes;
}

function isAnnotationKey(key: string): boolean {
  const slash = key.indexOf("/");
  if (slash < 0) return name.test(key);
  const prefix = key.slice(0, slash);
  const isPrefix = prefix.length <= prefixLengthMax && prefix.split(".").every((label) => prefixLabel.test(label));
  return isPrefix && name.test(key.slice(slash + 1));
}

/** The annotations that a request names. */
export function annotationsOf(value: Json | undefined): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(objectOf(value)).map(([key, inner]) => [key, textOf(inner)]));
}
