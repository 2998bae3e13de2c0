import { isJsonObject, type Json } from "./json.ts";

/** Whether a value has more levels of objects and lists than this. A text has none, an empty list one. Allocates nothing. */
export function isDeeper(value: Json, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  if (isJsonObject(value)) {
    for (const name in value) if (isDeeper(value[name] ?? null, levels - 1)) return true;
    return false;
  }
  for (const element of value) if (isDeeper(element, levels - 1)) return true;
  return false;
}
