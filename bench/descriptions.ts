import { isObject, type JsonObject } from "./json.ts";

/** Merges two OpenAPI descriptions, for servers that accept only one. Their paths and components must differ. */
export function joined(first: JsonObject, second: JsonObject): JsonObject {
  const merged: Record<string, unknown> = { ...first };
  for (const [name, value] of Object.entries(second)) {
    if (name === "paths" || name === "components") merged[name] = mergedMaps(first[name], value);
    else merged[name] ??= value;
  }
  return merged;
}

function mergedMaps(first: unknown, second: unknown): unknown {
  if (!isObject(first) || !isObject(second)) return first ?? second;
  const merged: Record<string, unknown> = { ...first };
  for (const [name, value] of Object.entries(second)) {
    if (name in first && (name.startsWith("/") || /^[A-Z]/.test(name))) throw new Error(`${name} is in both`);
    merged[name] = name in first ? mergedMaps(first[name], value) : value;
  }
  return merged;
}

/** A schema of a description with everything that it refers to, and without extensions. */
export function selfContained(schema: unknown, description: JsonObject): unknown {
  if (Array.isArray(schema)) return schema.map((part) => selfContained(part, description));
  if (!isObject(schema)) return schema;
  const reference = schema["$ref"];
  if (typeof reference === "string") return selfContained(target(reference, description), description);
  const members = Object.entries(schema).filter(([name]) => !name.startsWith("x-"));
  return Object.fromEntries(members.map(([name, value]) => [name, selfContained(value, description)]));
}

function target(reference: string, description: JsonObject): unknown {
  const names = reference.replace(/^#\//, "").split("/");
  return names.reduce((value: unknown, name) => (isObject(value) ? value[name] : undefined), description);
}
