import { isJsonObject, isSameJson, type Json } from "../../../foundation/json/json.ts";
import { pointerTo } from "./json-pointer.ts";

/** A difference of two values. An added value has no `left`, a removed one no `right`. */
export interface JsonDifference {
  readonly type: "added" | "removed" | "changed";
  /** Points into the right value for `added`, otherwise into the left value. */
  readonly pointer: string;
  readonly left?: Json;
  readonly right?: Json;
}

/**
 * Compares two values and returns at most `max` differences, in the order of the left value. Equal elements at the start and
 * end of lists are skipped, so one inserted element is one difference.
 */
export function jsonDifferences(left: Json | undefined, right: Json | undefined, max: number): JsonDifference[] {
  const found: JsonDifference[] = [];
  compare(left, right, "", (difference) => {
    if (found.length < max) found.push(difference);
    return found.length < max;
  });
  return found;
}

/** Receives a difference; returns whether to continue. */
type Report = (difference: JsonDifference) => boolean;

function compare(left: Json | undefined, right: Json | undefined, pointer: string, report: Report): boolean {
  if (left === undefined) return right === undefined || report({ type: "added", pointer, right });
  if (right === undefined) return report({ type: "removed", pointer, left });
  if (Array.isArray(left) && Array.isArray(right)) return compareLists(left, right, pointer, report);
  if (isJsonObject(left) && isJsonObject(right)) {
    const names = new Set([...Object.keys(left), ...Object.keys(right)]);
    return [...names].every((name) =>
      compare(memberOf(left, name), memberOf(right, name), pointerTo(pointer, name), report),
    );
  }
  return isSameJson(left, right) || report({ type: "changed", pointer, left, right });
}

function memberOf(value: { readonly [name: string]: Json }, name: string): Json | undefined {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

function compareLists(left: readonly Json[], right: readonly Json[], pointer: string, report: Report): boolean {
  const shorter = Math.min(left.length, right.length);
  let start = 0;
  while (start < shorter && isSameJson(left[start], right[start])) start += 1;
  let end = 0;
  while (end < shorter - start && isSameJson(left[left.length - 1 - end], right[right.length - 1 - end])) end += 1;
  const [leftEnd, rightEnd] = [left.length - end, right.length - end];
  for (let index = start; index < Math.max(leftEnd, rightEnd); index += 1) {
    const before = index < leftEnd ? left[index] : undefined;
    const after = index < rightEnd ? right[index] : undefined;
    if (!compare(before, after, pointerTo(pointer, index), report)) return false;
  }
  return true;
}
