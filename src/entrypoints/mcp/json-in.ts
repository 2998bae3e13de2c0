import { type Json, parseJson } from "../../foundation/json/json.ts";
import { shortened } from "../../foundation/text/shortened.ts";
import { bounds } from "./bounds.ts";

/** The value of a JSON text; undefined for any other text. */
export function jsonIn(text: string): Json | undefined {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** A body in a result: JSON as a value if no number of it would be rounded, else text, which is shortened. */
export function shownBody(text: string): Readonly<Record<string, Json>> {
  if (text.length > bounds.bodyLength)
    return {
      body: shortened(text, bounds.bodyLength),
      bodyNote: `The first ${bounds.bodyLength} of ${text.length} characters.`,
    };
  const value = jsonIn(text);
  return { body: value === undefined || hasLongInteger(value) ? text : value };
}

function hasLongInteger(value: Json): boolean {
  if (typeof value === "bigint") return true;
  return typeof value === "object" && value !== null && Object.values(value).some(hasLongInteger);
}
