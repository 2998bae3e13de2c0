import { isJsonObject, type Json, type JsonObject } from "../../foundation/json/json.ts";
import { createShapes, type ShapeOf } from "../../foundation/spec/shape.ts";

/** Keywords whose values map free names to schemas. A name in such a map may equal a keyword, for example `required`. */
const nameMaps: ReadonlySet<string> = new Set(["properties", "schemas", "paths", "responses", "parameters"]);

/**
 * Copies a description and relaxes it to what a node's codec accepts after it has applied defaults. Members that are
 * objects are no longer required, except in schemas without defaults. `isRelease` removes `minItems`.
 * Evidence: Canton 3.5, JSON body codec (source and tests).
 */
export function codecSchema(description: JsonObject, isRelease: boolean): JsonObject {
  const { shapeOf } = createShapes(description);
  return readObject(description, { shapeOf, isRelease }, false);
}

interface Reading {
  readonly shapeOf: ShapeOf;
  readonly isRelease: boolean;
}

function read(value: Json, reading: Reading, isNameMap: boolean): Json {
  if (Array.isArray(value)) return value.map((element) => read(element, reading, false));
  return isJsonObject(value) ? readObject(value, reading, isNameMap) : value;
}

function readObject(value: JsonObject, reading: Reading, isNameMap: boolean): JsonObject {
  const members = Object.entries(value).flatMap(([name, inner]): [string, Json][] => {
    if (isNameMap) return [[name, read(inner, reading, false)]];
    if (name === "minItems" && reading.isRelease) return [];
    if (name === "required" && Array.isArray(inner)) return [[name, withoutMessages(value, inner, reading)]];
    return [[name, read(inner, reading, nameMaps.has(name))]];
  });
  return Object.fromEntries(members);
}

function withoutMessages(schema: JsonObject, required: readonly Json[], reading: Reading): readonly Json[] {
  const { hasDefaults, properties } = reading.shapeOf(schema);
  if (hasDefaults) return required.filter((name) => properties.get(String(name))?.isMessage !== true);
  if (!reading.isRelease) return required;
  // A release has no default for a wrapper here, although its description does not require it.
  const wrappers = [...properties].flatMap(([name, { isOneKeyWrapper }]) => (isOneKeyWrapper ? [name] : []));
  return [...new Set([...required, ...wrappers])];
}
