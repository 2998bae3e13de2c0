import { isJsonObject, type Json, type JsonObject } from "../../foundation/json/json.ts";
import { segmentsOf } from "../../foundation/spec/operation.ts";
import type { Fake } from "./faker.ts";

/** The result of a generation; the value is always valid. */
type Made =
  | { readonly type: "valid" | "repaired"; readonly value: Json }
  | { readonly type: "dropped"; readonly value: undefined };

/** Number of values by result. */
export interface Tally {
  readonly valid: number;
  readonly repaired: number;
  readonly dropped: number;
}

export const nothingMade: Tally = { valid: 0, repaired: 0, dropped: 0 };

export function counted(tally: Tally, { type }: Made): Tally {
  return { ...tally, [type]: tally[type] + 1 };
}

/** A violation in a value; the pointer leads to it, or to the missing member. */
export interface Flaw {
  readonly pointer: string;
  readonly keyword: string;
}

/** The schema of a value, and its validator. */
interface Wanted {
  readonly schema: JsonObject;
  flawsIn(value: Json): readonly Flaw[];
}

/** Limit of removed members per value. */
const repairsMax = 50;

/** Generates a value and removes invalid members one by one; a value that stays invalid is dropped. */
export function makeValid(fake: Fake, { schema, flawsIn }: Wanted, seed: number): Made {
  let value = fake(schema, seed);
  for (let repairs = 0; value !== undefined && repairs < repairsMax; repairs += 1) {
    const flaw: Flaw | undefined = flawsIn(value).at(-1);
    if (flaw === undefined) return { type: repairs === 0 ? "valid" : "repaired", value };
    value = without(value, flawedPlace(flaw));
  }
  return { type: "dropped", value: undefined };
}

/** The path to remove; the parent if a required member is missing. */
function flawedPlace({ pointer, keyword }: Flaw): readonly string[] {
  const segments = segmentsOf(pointer);
  return keyword === "required" ? segments.slice(0, -1) : segments;
}

/** The value without the member at the path; undefined for an empty path. */
function without(value: Json, path: readonly string[]): Json | undefined {
  const [first, ...rest] = path;
  if (first === undefined) return undefined;
  if (Array.isArray(value))
    return value.flatMap((entry, index) => {
      const kept = String(index) === first ? without(entry, rest) : entry;
      return kept === undefined ? [] : [kept];
    });
  if (!isJsonObject(value)) return undefined;
  const members = Object.entries(value).flatMap(([name, inner]) => {
    const kept = name === first ? without(inner, rest) : inner;
    return kept === undefined ? [] : [[name, kept] as const];
  });
  return Object.fromEntries(members);
}
