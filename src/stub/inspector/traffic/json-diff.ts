import { isJsonObject, isSameJson, type Json } from "../../../foundation/json/json.ts";
import { pointerTo } from "./json-pointer.ts";

/** Where two values differ. `left` is missing where something was added, `right` where it was removed. */
export interface JsonDifference {
  readonly type: "added" | "removed" | "changed";
  /** Into the right value where something was added, else into the left one. */
  readonly pointer: string;
  readonly left?: Json;
  readonly right?: Json;
}

/**
 * The differences of two values in the order of the left one, `max` of them at most. Of lists, what is the same at the
 * beginning and at the end is set aside first, so that an element more is one difference.
 */
export function jsonDifferences(left: Json | undefined, right: Json | undefined, max: number): JsonDifference[] {
  const found: JsonDifference[] = [];
  compare(left, right, "", (difference) => {
    if (found.length < max) found.push(difference);
    return found.length < max;
  });
  return found;
}

/** Gives whether to go on. */
type Tell = (difference: JsonDifference) => boolean;

function compare(left: Json | undefined, right: Json | undefined, pointer: string, tell: Tell): boolean {
  if (left === undefined) return right === undefined || tell({ type: "added", pointer, right });
  if (right === undefined) return tell({ type: "removed", pointer, left });
  if (Array.isArray(left) && Array.isArray(right)) return compareLists(left, right, pointer, tell);
  if (isJsonObject(left) && isJsonObject(right)) {
    const names = new Set([...Object.keys(left), ...Object.keys(right)]);
    return [...names].every((name) =>
      compare(memberOf(left, name), memberOf(right, name), pointerTo(pointer, name), tell),
    );
  }
  return isSameJson(left, right) || tell({ type: "changed", pointer, left, right });
}

function memberOf(value: { readonly [name: string]: Json }, name: string): Json | undefined {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

function compareLists(left: readonly Json[], right: readonly Json[], pointer: string, tell: Tell): boolean {
  const shorter = Math.min(left.length, right.length);
  let start = 0;
  while (start < shorter && isSameJson(left[start], right[start])) start += 1;
  let end = 0;
  while (end < shorter - start && isSameJson(left[left.length - 1 - end], right[right.length - 1 - end])) end += 1;
  const [leftEnd, rightEnd] = [left.length - end, right.length - end];
  for (let index = start; index < Math.max(leftEnd, rightEnd); index += 1) {
    const before = index < leftEnd ? left[index] : undefined;
    const after = index < rightEnd ? right[index] : undefined;
    if (!compare(before, after, pointerTo(pointer, index), tell)) return false;
  }
  return true;
}
