import { isJsonObject, type JsonObject } from "../json/json.ts";
import { memberObject, valueAt } from "./operation.ts";

/** A schema prepared for walking a value: references resolved, each part read once. */
export interface Shape {
  readonly type: string | undefined;
  readonly isEnum: boolean;
  /** Whether it is a one-key wrapper (`x-one-key-wrapper`): of several members the first by name counts. */
  readonly isOneKeyWrapper: boolean;
  /** Whether it is an object other than a one-key wrapper. */
  readonly isMessage: boolean;
  /** Whether absent members get defaults (not `x-no-defaults`). */
  readonly hasDefaults: boolean;
  readonly required: ReadonlySet<string>;
  /** The members that the schema names, in its order. */
  readonly properties: ReadonlyMap<string, Shape>;
  /** The same as a list, to walk without an allocation for each. */
  readonly members: readonly MemberShape[];
  /** The shape of a list's elements. */
  readonly items: Shape;
}

interface MemberShape {
  readonly name: string;
  readonly shape: Shape;
}

/** Gives the shape of a schema. */
export type ShapeOf = (schema: JsonObject) => Shape;

/** The shapes of a description. */
export interface Shapes {
  readonly shapeOf: ShapeOf;
  /** By the JSON pointer of a schema. */
  readonly shapeAt: (schemaPointer: string) => Shape;
}

/** Creates shapes on first use, since schemas can be recursive. */
export function createShapes(description: JsonObject): Shapes {
  const known = new Map<JsonObject, Shape>();
  const shapeOf: ShapeOf = (schema) => {
    const followed = resolveSchema(description, schema);
    let shape = known.get(followed);
    if (shape === undefined) {
      shape = new SchemaShape(followed, shapeOf);
      known.set(followed, shape);
    }
    return shape;
  };
  const byPointer = new Map<string, Shape>();
  const shapeAt = (pointer: string): Shape => {
    const found = byPointer.get(pointer) ?? shapeOf({ $ref: `#${pointer}` });
    byPointer.set(pointer, found);
    return found;
  };
  return { shapeOf, shapeAt };
}

class SchemaShape implements Shape {
  readonly type: string | undefined;
  readonly isEnum: boolean;
  readonly isOneKeyWrapper: boolean;
  readonly isMessage: boolean;
  readonly hasDefaults: boolean;
  readonly required: ReadonlySet<string>;
  readonly #schema: JsonObject;
  readonly #shapeOf: ShapeOf;
  #members: readonly MemberShape[] | undefined;
  #properties: ReadonlyMap<string, Shape> | undefined;
  #items: Shape | undefined;

  constructor(schema: JsonObject, shapeOf: ShapeOf) {
    const { type, required } = schema;
    this.type = typeof type === "string" ? type : undefined;
    this.isEnum = schema["enum"] !== undefined;
    this.isOneKeyWrapper = schema["x-one-key-wrapper"] === true;
    this.isMessage = type === "object" && !this.isOneKeyWrapper;
    this.hasDefaults = schema["x-no-defaults"] !== true;
    this.required = new Set(Array.isArray(required) ? required.map(String) : []);
    this.#schema = schema;
    this.#shapeOf = shapeOf;
  }

  get properties(): ReadonlyMap<string, Shape> {
    this.#properties ??= new Map(this.members.map(({ name, shape }) => [name, shape]));
    return this.#properties;
  }

  get members(): readonly MemberShape[] {
    if (this.#members === undefined) {
      const schemas = memberObject(this.#schema, "properties");
      this.#members = Object.keys(schemas).map((name) => ({ name, shape: this.#shapeOf(memberObject(schemas, name)) }));
    }
    return this.#members;
  }

  get items(): Shape {
    this.#items ??= this.#shapeOf(memberObject(this.#schema, "items"));
    return this.#items;
  }
}

/** Resolves the `$ref` of a schema; empty if the target is missing. */
export function resolveSchema(description: JsonObject, schema: JsonObject): JsonObject {
  const reference = schema["$ref"];
  if (typeof reference !== "string") return schema;
  const target = valueAt(description, reference.slice(1));
  return isJsonObject(target) ? resolveSchema(description, target) : {};
}
