import { isJsonObject, type Json, type JsonObject } from "../../foundation/json/json.ts";
import type { Fake } from "./faker.ts";

/** What became of a value of the library; only what is valid is handed out. */
export type Made =
  | { readonly type: "as-made" | "repaired"; readonly value: Json }
  | { readonly type: "dropped"; readonly value: undefined };

/** How many values became what. */
export interface Tally {
  readonly "as-made": number;
  readonly repaired: number;
  readonly dropped: number;
}

export const nothingMade: Tally = { "as-made": 0, repaired: 0, dropped: 0 };

export function counted(tally: Tally, { type }: Made): Tally {
  return { ...tally, [type]: tally[type] + 1 };
}

/** Something wrong with a value: the pointer names it, or the member that is missing. */
export interface Flaw {
  readonly pointer: string;
  readonly keyword: string;
}

/** What a value is made of, and what is wrong with one. */
export interface Wanted {
  readonly schema: JsonObject;
  flawsIn(value: Json): readonly Flaw[];
}

/** Members that are taken out before a value counts as hopeless. */
const repairsMax = 50;

/** Makes a value and takes out of it what is flawed, member by member; what is flawed as a whole is dropped. */
export function makeValid(fake: Fake, { schema, flawsIn }: Wanted, seed: number): Made {
  let value = fake(schema, seed);
  for (let repairs = 0; value !== undefined && repairs < repairsMax; repairs += 1) {
    const flaw: Flaw | undefined = flawsIn(value).at(-1);
    if (flaw === undefined) return { type: repairs === 0 ? "as-made" : "repaired", value };
    value = without(value, flawedPlace(flaw));
  }
  return { type: "dropped", value: undefined };
}

/** An object that lacks a member is flawed itself. */
function flawedPlace({ pointer, keyword }: Flaw): readonly string[] {
  const segments = pointer
    .split("/")
    .slice(1)
    .map((segment) => segment.replaceAll("~1", "/").replaceAll("~0", "~"));
  return keyword === "required" ? segments.slice(0, -1) : segments;
}

/** The value without what the path names; undefined where that is the whole of it. */
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
