import { formatJson, isJsonObject, type Json } from "../../foundation/json/json.ts";

const textMax = 90;
const elementsMax = 4;
const linesMax = 40;

/** JSON on several lines. Long texts and lists are cut, with an ellipsis. */
export function shortJson(value: Json): string {
  const lines = formatJson(shortened(value), 2).split("\n");
  if (lines.length <= linesMax) return lines.join("\n");
  return [...lines.slice(0, linesMax), `… (${lines.length - linesMax} more lines)`].join("\n");
}

/** The beginning of a text. */
export function shortText(text: string, lengthMax: number = textMax): string {
  const characters = [...text.slice(0, lengthMax + 1)];
  return text.length <= lengthMax ? text : `${characters.slice(0, -1).join("")}…`;
}

function shortened(value: Json): Json {
  if (typeof value === "string") return shortText(value);
  if (Array.isArray(value)) {
    const more = value.length - elementsMax;
    return [...value.slice(0, elementsMax).map(shortened), ...(more > 0 ? [`… (${more} more)`] : [])];
  }
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shortened(inner)]));
}
