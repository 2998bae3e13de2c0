import { isJsonObject, type Json, type JsonObject } from "../../foundation/json/json.ts";

// Reads members of a decoded body. A member of an unexpected type counts as absent.

export function objectOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

export function objectsOf(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.map(objectOf) : [];
}

export function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

export function optionalTextOf(value: Json | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

export function textsOf(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === "string") : [];
}

/** A number or bigint as bigint; undefined for anything else. */
export function integerOf(value: Json | undefined): bigint | undefined {
  if (typeof value === "bigint") return value;
  return typeof value === "number" && Number.isInteger(value) ? BigInt(value) : undefined;
}
