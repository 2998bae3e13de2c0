import type { Json } from "../../../foundation/json/json.ts";
import type { Broken } from "../parts/control-api.ts";
import { deepestPointer, pointersAbove } from "./json-pointer.ts";

/** Positions of the broken rules in a body. */
export interface JsonMarks {
  readonly at: ReadonlyMap<string, readonly Broken[]>;
  /** Pointers of all values that enclose a mark. */
  readonly above: ReadonlySet<string>;
  /** Broken rules without a position in the body, or with the whole body as position. */
  readonly elsewhere: readonly Broken[];
}

/** Maps broken rules to positions. A pointer to a missing member maps to the enclosing value. */
export function jsonMarks(body: Json | undefined, broken: readonly Broken[]): JsonMarks {
  const at = new Map<string, Broken[]>();
  const elsewhere: Broken[] = [];
  for (const rule of broken) {
    const pointer = body === undefined ? "" : deepestPointer(body, rule.pointer);
    if (pointer === "") elsewhere.push(rule);
    else at.set(pointer, [...(at.get(pointer) ?? []), rule]);
  }
  return { at, above: new Set([...at.keys()].flatMap(pointersAbove)), elsewhere };
}
