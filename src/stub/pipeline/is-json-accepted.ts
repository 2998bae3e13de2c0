import { type HeaderList, headerValues } from "../../foundation/http/header.ts";

const ranges: ReadonlySet<string> = new Set(["*/*", "application/*", "application/json"]);

/** Whether the client accepts JSON: its Accept header allows it, or is absent. */
export function isJsonAccepted(headers: HeaderList): boolean {
  const values = headerValues(headers, "accept");
  return values.length === 0 || values.some((value) => value.split(",").some(isJsonRange));
}

function isJsonRange(range: string): boolean {
  const [type = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
  return ranges.has(type) && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
}
