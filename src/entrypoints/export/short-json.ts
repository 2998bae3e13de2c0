import { formatJson, isJsonObject, type Json } from "../../foundation/json/json.ts";
import { shortened } from "../../foundation/text/shortened.ts";

const textMax = 90;
const elementsMax = 4;
const linesMax = 40;

/** JSON on several lines. Long texts and lists are cut, with an ellipsis. */
export function shortJson(value: Json): string {
  const lines = formatJson(shortValue(value), 2).split("\n");
  if (lines.length <= linesMax) return lines.join("\n");
  return [...lines.slice(0, linesMax), `… (${lines.length - linesMax} more lines)`].join("\n");
}

function shortValue(value: Json): Json {
  if (typeof value === "string") return shortened(value, textMax);
  if (Array.isArray(value)) {
    const more = value.length - elementsMax;
    return [...value.slice(0, elementsMax).map(shortValue), ...(more > 0 ? [`… (${more} more)`] : [])];
  }
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shortValue(inner)]));
}
