import { type Json, parseJson } from "../../foundation/json/json.ts";
import { shortened } from "../../foundation/text/shortened.ts";

/** Characters of a body in a result. */
const bodyLengthMax = 12_000;

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
  if (text.length > bodyLengthMax)
    return {
      body: shortened(text, bodyLengthMax),
      bodyNote: `The first ${bodyLengthMax} of ${text.length} characters.`,
    };
  const value = jsonIn(text);
  return { body: value === undefined || hasLongInteger(value) ? text : value };
}

function hasLongInteger(value: Json): boolean {
  if (typeof value === "bigint") return true;
  return typeof value === "object" && value !== null && Object.values(value).some(hasLongInteger);
}
