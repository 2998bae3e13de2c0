import { isJsonObject, type Json, type JsonObject } from "../../foundation/json/json.ts";
import { createShapes, type ShapeOf } from "../../foundation/spec/shape.ts";

/** Keywords whose values map free names to schemas. A name in such a map may equal a keyword, for example `required`. */
const nameMaps: ReadonlySet<string> = new Set(["properties", "schemas", "paths", "responses", "parameters"]);

/**
 * Copies a description and relaxes it to what a node's codec accepts after it has applied defaults. Members that are
 * objects are no longer required, except in schemas without defaults. `isListLengthFree` removes `minItems`.
 * Evidence: Canton 3.5, JSON body codec (source and tests).
 */
export function codecSchema(description: JsonObject, isListLengthFree: boolean): JsonObject {
  const { shapeOf } = createShapes(description);
  return readObject(description, { shapeOf, isListLengthFree }, false);
}

interface Reading {
  readonly shapeOf: ShapeOf;
  readonly isListLengthFree: boolean;
}

function read(value: Json, reading: Reading, isNameMap: boolean): Json {
  if (Array.isArray(value)) return value.map((element) => read(element, reading, false));
  return isJsonObject(value) ? readObject(value, reading, isNameMap) : value;
}

function readObject(value: JsonObject, reading: Reading, isNameMap: boolean): JsonObject {
  const members = Object.entries(value).flatMap(([name, inner]): [string, Json][] => {
    if (isNameMap) return [[name, read(inner, reading, false)]];
    if (name === "minItems" && reading.isListLengthFree) return [];
    if (name === "required" && Array.isArray(inner)) return [[name, withoutMessages(value, inner, reading)]];
    return [[name, read(inner, reading, nameMaps.has(name))]];
  });
  return Object.fromEntries(members);
}

function withoutMessages(schema: JsonObject, required: readonly Json[], { shapeOf }: Reading): readonly Json[] {
  const { hasDefaults, properties } = shapeOf(schema);
  return required.filter((name) => !hasDefaults || properties.get(String(name))?.isMessage !== true);
}
