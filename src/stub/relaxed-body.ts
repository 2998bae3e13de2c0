import { isJsonObject, type Json, type JsonObject } from "../http/json.ts";
import { memberObject, valueAt } from "../spec/operation.ts";

/** A schema with its `$ref` followed. */
export function resolved(description: JsonObject, schema: JsonObject): JsonObject {
  const reference = schema["$ref"];
  if (typeof reference !== "string") return schema;
  const target = valueAt(description, reference.slice(1));
  return isJsonObject(target) ? resolved(description, target) : {};
}

/**
 * The body as a node's own codec reads it: absent scalars and lists get their defaults, null stands for an absent
 * object, digits in a string are an integer, and of several keys of a wrapper the first by name wins.
 * What it cannot read stays as it is, for the schema to refuse. Source: facts, ledger-api 3.5.
 */
export function relaxedBody(description: JsonObject, schema: JsonObject, value: Json): Json {
  const shape = resolved(description, schema);
  if (Array.isArray(value)) return value.map((entry) => relaxedBody(description, memberObject(shape, "items"), entry));
  if (isJsonObject(value))
    return shape["x-one-key-wrapper"] === true
      ? oneKey(description, shape, value)
      : relaxedMembers(description, shape, value);
  return shape["type"] === "integer" && typeof value === "string" && /^-?\d+$/.test(value) ? BigInt(value) : value;
}

function oneKey(description: JsonObject, shape: JsonObject, value: JsonObject): Json {
  const properties = memberObject(shape, "properties");
  const name = Object.keys(value)
    .filter((key) => Object.hasOwn(properties, key))
    .sort()[0];
  if (name === undefined) return value;
  return { [name]: relaxedBody(description, memberObject(properties, name), value[name] ?? null) };
}

function relaxedMembers(description: JsonObject, shape: JsonObject, value: JsonObject): JsonObject {
  const properties = memberObject(shape, "properties");
  const hasDefaults = shape["x-no-defaults"] !== true;
  const members: Record<string, Json> = { ...value };
  for (const name of Object.keys(properties)) {
    const inner = resolved(description, memberObject(properties, name));
    const given = Object.hasOwn(value, name) ? value[name] : undefined;
    const isOptional = !hasDefaults && !isRequired(shape, name) && inner["x-one-key-wrapper"] !== true;
    if (given === null && (isMessage(inner) || isOptional)) delete members[name];
    else if (given !== undefined) members[name] = relaxedBody(description, inner, given);
    else if (hasDefaults && isRequired(shape, name)) setDefault(members, name, inner);
  }
  return members;
}

/** Whether a pointer names an object that the codec takes for absent, although the schema requires it. */
export function isAbsentMessage(description: JsonObject, schema: JsonObject, pointer: string): boolean {
  let shape = resolved(description, schema);
  const segments = pointer.split("/").slice(1);
  for (const [index, segment] of segments.entries()) {
    const isLast = index === segments.length - 1;
    if (isLast && shape["x-no-defaults"] === true) return false;
    const inner =
      shape["type"] === "array"
        ? memberObject(shape, "items")
        : memberObject(memberObject(shape, "properties"), segment);
    shape = resolved(description, inner);
  }
  return isMessage(shape);
}

function isMessage(schema: JsonObject): boolean {
  return schema["type"] === "object" && schema["x-one-key-wrapper"] !== true;
}

function isRequired(shape: JsonObject, name: string): boolean {
  const required = shape["required"];
  return Array.isArray(required) && required.includes(name);
}

const defaults: Readonly<Record<string, Json>> = { string: "", boolean: false, integer: 0, array: [] };

function setDefault(members: Record<string, Json>, name: string, schema: JsonObject): void {
  if (schema["x-one-key-wrapper"] === true) members[name] = { Empty: {} };
  const type = schema["type"];
  if (typeof type === "string" && schema["enum"] === undefined && Object.hasOwn(defaults, type))
    members[name] = defaults[type] ?? null;
}
