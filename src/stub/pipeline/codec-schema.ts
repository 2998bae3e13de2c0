import { isJsonObject, type Json, type JsonObject } from "../../foundation/json/json.ts";
import { createShapes, type Shape, type ShapeOf } from "../../foundation/spec/shape.ts";

/** Keywords whose values map free names to schemas. A name in such a map may equal a keyword, for example `required`. */
const nameMaps: ReadonlySet<string> = new Set(["properties", "schemas", "paths", "responses", "parameters"]);

/**
 * Copies a description and relaxes it to what a node's codec accepts after it has applied defaults: members that are objects
 * are no longer required, except in schemas without defaults. Evidence: Canton 3.5, JSON body codec (source and tests).
 */
export function codecSchema(description: JsonObject): JsonObject {
  return readObject(description, createShapes(description).shapeOf, false);
}

function read(value: Json, shapeOf: ShapeOf, isNameMap: boolean): Json {
  if (Array.isArray(value)) return value.map((element) => read(element, shapeOf, false));
  return isJsonObject(value) ? readObject(value, shapeOf, isNameMap) : value;
}

function readObject(value: JsonObject, shapeOf: ShapeOf, isNameMap: boolean): JsonObject {
  const members = Object.entries(value).map(([name, inner]): [string, Json] => {
    if (isNameMap) return [name, read(inner, shapeOf, false)];
    if (name === "required" && Array.isArray(inner)) return [name, withoutMessages(inner, shapeOf(value))];
    return [name, read(inner, shapeOf, nameMaps.has(name))];
  });
  return Object.fromEntries(members);
}

function withoutMessages(required: readonly Json[], { hasDefaults, properties }: Shape): readonly Json[] {
  return hasDefaults ? required.filter((name) => properties.get(String(name))?.isMessage !== true) : required;
}
