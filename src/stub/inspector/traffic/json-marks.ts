import type { Json } from "../../../foundation/json/json.ts";
import type { BrokenRule } from "../parts/control-api.ts";
import { deepestPointer, pointersAbove } from "./json-pointer.ts";

/** Positions of the broken rules in a body. */
export interface JsonMarks {
  readonly at: ReadonlyMap<string, readonly BrokenRule[]>;
  /** Pointers of all values that enclose a mark. */
  readonly above: ReadonlySet<string>;
  /** Broken rules without a position in the body, or with the whole body as position. */
  readonly elsewhere: readonly BrokenRule[];
}

/** Maps broken rules to positions. A pointer to a missing member maps to the enclosing value. */
export function jsonMarks(body: Json | undefined, broken: readonly BrokenRule[]): JsonMarks {
  const at = new Map<string, BrokenRule[]>();
  const elsewhere: BrokenRule[] = [];
  for (const rule of broken) {
    const pointer = body === undefined ? "" : deepestPointer(body, rule.pointer);
    if (pointer === "") elsewhere.push(rule);
    else at.set(pointer, [...(at.get(pointer) ?? []), rule]);
  }
  return { at, above: new Set([...at.keys()].flatMap(pointersAbove)), elsewhere };
}
