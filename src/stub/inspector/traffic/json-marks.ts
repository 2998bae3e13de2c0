import type { Json } from "../../../foundation/json/json.ts";
import type { BrokenRule } from "../parts/control-api.ts";
import { deepestPointer, pointersAbove } from "./json-pointer.ts";

/** Where in a body the broken rules stand. */
export interface JsonMarks {
  readonly at: ReadonlyMap<string, readonly BrokenRule[]>;
  /** The pointers of all that encloses a mark. */
  readonly above: ReadonlySet<string>;
  /** What points at nothing within the body, or at all of it. */
  readonly elsewhere: readonly BrokenRule[];
}

/** What points at a member that is missing stands at what should have it. */
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
