import type { Json } from "../../foundation/json/json.ts";

/** A number or bigint as bigint; undefined for anything else. */
export function integerOf(value: Json | undefined): bigint | undefined {
  if (typeof value === "bigint") return value;
  return typeof value === "number" && Number.isInteger(value) ? BigInt(value) : undefined;
}
