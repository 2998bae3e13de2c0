import type { Json, JsonObject } from "../../foundation/json/json.ts";
import { objectOf, textOf } from "../../foundation/json/members.ts";
import { utf8Length } from "../../foundation/text/utf8.ts";

// Annotations of users and parties: keys in the syntax of Kubernetes, values of any text (Canton 3.5, ApiUserManagementService.scala).

const name = /^[A-Za-z0-9](?:[-_.A-Za-z0-9]{0,61}[A-Za-z0-9])?$/;
const prefixLabel = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/;
const prefixLengthMax = 253;

/** The problem with the annotations of a request; undefined if they are valid. Deletions do not count towards the size. */
export function checkAnnotations(
  given: Readonly<Record<string, string>>,
  bytesMax: number,
  field = "user.metadata.annotations",
): string | undefined {
  const misnamed = Object.keys(given).find((key) => !isAnnotationKey(key));
  if (misnamed !== undefined) return `Key prefix or name segment '${misnamed}' has invalid syntax`;
  return sizeOf(given) > bytesMax
    ? `annotations from field '${field}' are larger than the limit of ${Math.floor(bytesMax / 1024)}kb`
    : undefined;
}

/** The problem with an empty value, which a new user or party must not have. */
export function emptyAnnotation(given: Readonly<Record<string, string>>): string | undefined {
  const empty = Object.keys(given).find((key) => given[key] === "");
  return empty === undefined ? undefined : `The value of an annotation is empty for key: '${empty}'`;
}

/** Merges annotations: sets given keys, deletes keys with an empty value, keeps the others. */
export function mergedAnnotations(
  before: Readonly<Record<string, string>>,
  given: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const merged: Record<string, string> = {};
  for (const key in before) if (!Object.hasOwn(given, key)) merged[key] = before[key] ?? "";
  for (const key in given) if (given[key] !== "") merged[key] = given[key] ?? "";
  return merged;
}

/** Bytes of keys and values in UTF-8; a key to delete counts 0. */
export function sizeOf(annotations: Readonly<Record<string, string>>): number {
  let bytes = 0;
  for (const key in annotations) {
    const value = annotations[key] ?? "";
    if (value !== "") bytes += utf8Length(key) + utf8Length(value);
  }
  return bytes;
}

function isAnnotationKey(key: string): boolean {
  const slash = key.indexOf("/");
  if (slash < 0) return name.test(key);
  const prefix = key.slice(0, slash);
  const isPrefix = prefix.length <= prefixLengthMax && prefix.split(".").every((label) => prefixLabel.test(label));
  return isPrefix && name.test(key.slice(slash + 1));
}

/** The annotations of a request. */
export function annotationsOf(value: Json | undefined): Readonly<Record<string, string>> {
  const given = objectOf(value);
  // Copying many members takes longer than all checks.
  return areTexts(given)
    ? given
    : Object.fromEntries(Object.entries(given).map(([key, inner]) => [key, textOf(inner)]));
}

function areTexts(members: JsonObject): members is Readonly<Record<string, string>> {
  return Object.values(members).every((value) => typeof value === "string");
}
