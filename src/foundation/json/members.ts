import { isJsonObject, type Json, type JsonObject } from "./json.ts";

// Reads JSON of any shape: a value of another type counts as absent.

const nothing: JsonObject = {};

export function objectOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : nothing;
}

export function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

/** The entries of a list; one that is not an object counts as empty. */
export function objectsOf(value: Json | undefined): readonly JsonObject[] {
  const list = listOf(value);
  return list.every(isJsonObject) ? list : list.map(objectOf);
}

export function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

export function optionalTextOf(value: Json | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

export function textsOf(value: Json | undefined): readonly string[] {
  return listOf(value).filter((entry) => typeof entry === "string");
}

/** The members that are not undefined. */
export function withoutUndefined(members: Readonly<Record<string, Json | undefined>>): JsonObject {
  const kept: Record<string, Json> = {};
  for (const [name, value] of Object.entries(members)) if (value !== undefined) kept[name] = value;
  return kept;
}
