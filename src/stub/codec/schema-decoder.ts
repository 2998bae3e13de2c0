import { isJsonObject, type Json, type JsonObject } from "../../foundation/json/json.ts";
import { textsOf } from "../../foundation/json/members.ts";
import { memberObject } from "../../foundation/spec/operation.ts";
import { resolveSchema } from "../../foundation/spec/shape.ts";
import {
  type DecodedMember,
  decodeEmptyCase,
  decodeLenientMessage,
  decodeList,
  decodeMap,
  decodeMessage,
  decodeOneOf,
  decodeStrictMessage,
  decodeUnit,
} from "./containers.ts";
import type { Decoder } from "./decoder.ts";
import { type DecodingFailure, missing, wrongType } from "./decoding-failure.ts";
import { plainJson } from "./parsed.ts";
import {
  decodeBase64,
  decodeBoolean,
  decodeEnum,
  decodeInstant,
  decodeInt,
  decodeLong,
  decodeString,
} from "./scalars.ts";

/**
 * What a schema is for the codec: its type, and what the spec marks. `x-one-key-wrapper` marks a oneOf, `x-no-defaults` a
 * message of the JSON layer, and `x-codec` a lenient message, a unit or an optional member.
 */
type Kind =
  | "any"
  | "base64"
  | "boolean"
  | "enum"
  | "instant"
  | "int"
  | "lenient"
  | "list"
  | "long"
  | "map"
  | "message"
  | "object"
  | "oneOf"
  | "strict"
  | "string"
  | "unit";

/** The decoders of the schemas of a description. Each is created once, since schemas can be recursive. */
export class SchemaDecoders {
  readonly #description: JsonObject;
  readonly #known = new Map<JsonObject, Decoder>();
  readonly #byPointer = new Map<string, Decoder>();

  constructor(description: JsonObject) {
    this.#description = description;
  }

  /** The decoder of the schema at this JSON pointer. */
  at(pointer: string): Decoder {
    const decoder = this.#byPointer.get(pointer) ?? this.#decoderOf({ $ref: `#${pointer}` });
    this.#byPointer.set(pointer, decoder);
    return decoder;
  }

  #decoderOf(schema: JsonObject): Decoder {
    const followed = resolveSchema(this.#description, schema);
    let decoder = this.#known.get(followed);
    if (decoder === undefined) {
      decoder = this.#create(followed);
      this.#known.set(followed, decoder);
    }
    return decoder;
  }

  #create(schema: JsonObject): Decoder {
    switch (kindOf(schema)) {
      case "any":
        return plainJson;
      case "base64":
        return decodeBase64;
      case "boolean":
        return decodeBoolean;
      case "enum":
        return decodeEnum(textsOf(schema["enum"]));
      case "instant":
        return decodeInstant;
      case "int":
        return decodeInt;
      case "lenient":
        return decodeLenientMessage(once(() => this.#membersOf(schema, lenientMember)));
      case "list":
        return decodeList(lazy(() => this.#decoderOf(memberObject(schema, "items"))));
      case "long":
        return decodeLong;
      case "map":
        return decodeMap(lazy(() => this.#decoderOf(memberObject(schema, "additionalProperties"))));
      case "message":
        return decodeMessage(once(() => this.#membersOf(schema, messageMember)));
      case "object":
        return (value) => {
          const decoded = plainJson(value);
          return isJsonObject(decoded) ? decoded : decodeMessage(() => [])(value);
        };
      case "oneOf":
        return decodeOneOf(once(() => this.#casesOf(schema)));
      case "strict":
        return decodeStrictMessage(once(() => this.#membersOf(schema, strictMember)));
      case "string":
        return decodeString;
      case "unit":
        return decodeUnit;
    }
  }

  #membersOf(schema: JsonObject, memberOf: MemberOf): readonly DecodedMember[] {
    const required = new Set(textsOf(schema["x-codec-required"] ?? schema["required"]));
    const properties = memberObject(schema, "properties");
    return Object.keys(properties).map((name) => {
      const property = resolveSchema(this.#description, memberObject(properties, name));
      const absence = memberOf({ schema: property, isRequired: required.has(name) });
      return { name, decode: this.#decoderOf(property), ...absence };
    });
  }

  /** The cases, by name. */
  #casesOf(schema: JsonObject): ReadonlyMap<string, Decoder> {
    const properties = memberObject(schema, "properties");
    return new Map(
      Object.keys(properties)
        .sort()
        .map((name) => [name, this.#caseOf(name, resolveSchema(this.#description, memberObject(properties, name)))]),
    );
  }

  #caseOf(name: string, schema: JsonObject): Decoder {
    if (name === "Empty") return decodeEmptyCase;
    const hasValue = Object.hasOwn(memberObject(schema, "properties"), "value");
    return hasValue ? decodeMessage(once(() => this.#membersOf(schema, wrapperMember))) : this.#decoderOf(schema);
  }
}

interface MemberSchema {
  readonly schema: JsonObject;
  readonly isRequired: boolean;
}

/** What an absent member and null mean. */
type MemberOf = (member: MemberSchema) => Pick<DecodedMember, "byDefault" | "isNullable">;

/** A member of a message of the ledger API: absent ones get defaults. */
const messageMember: MemberOf = ({ schema, isRequired }) => {
  const kind = kindOf(schema);
  if (isOptional(schema) || optionalKinds.has(kind)) return { byDefault: undefined, isNullable: true };
  return { byDefault: defaultOf(schema, kind) ?? (isRequired ? absentOf(kind) : undefined), isNullable: false };
};

/** A member of a lenient message: null means the default, too. */
const lenientMember: MemberOf = ({ schema }) => {
  const kind = kindOf(schema);
  return { byDefault: kind === "lenient" ? { fields: {} } : defaultOf(schema, kind), isNullable: true };
};

/** A member of a message of the JSON layer: required ones have no defaults. A oneOf is required unless it is marked. */
const strictMember: MemberOf = ({ schema, isRequired }) => {
  if (isOptional(schema) && !isRequired) return { byDefault: undefined, isNullable: true };
  const isNeeded = isRequired || kindOf(schema) === "oneOf";
  return { byDefault: isNeeded ? missing : defaultOf(schema, kindOf(schema)), isNullable: !isNeeded };
};

/** The value in the wrapper of a case: scalars get defaults, others are required. */
const wrapperMember: MemberOf = ({ schema }) => ({
  byDefault: defaultOf(schema, kindOf(schema)) ?? missing,
  isNullable: false,
});

const optionalKinds: ReadonlySet<Kind> = new Set(["instant", "lenient", "message", "object", "strict"]);

const defaults: Readonly<Partial<Record<Kind, Json>>> = {
  base64: "",
  boolean: false,
  int: 0,
  list: [],
  long: 0,
  map: {},
  string: "",
};

function defaultOf(schema: JsonObject, kind: Kind): Json | undefined {
  const hasEmptyCase = kind === "oneOf" && Object.hasOwn(memberObject(schema, "properties"), "Empty");
  return hasEmptyCase ? { Empty: {} } : defaults[kind];
}

/** The failure for an absent member. The default of an enum is a value that its decoder refuses. */
function absentOf(kind: Kind): DecodingFailure {
  return kind === "enum" ? wrongType({ Unrecognized: { unrecognizedValue: 0 } }, "string") : missing;
}

function isOptional({ type, "x-codec": mark }: JsonObject): boolean {
  return mark === "optional" || (Array.isArray(type) && type.includes("null"));
}

function kindOf(schema: JsonObject): Kind {
  if (schema["enum"] !== undefined) return "enum";
  const type = Array.isArray(schema["type"]) ? schema["type"].find((name) => name !== "null") : schema["type"];
  switch (type) {
    case "array":
      return "list";
    case "boolean":
      return "boolean";
    case "integer":
      return schema["format"] === "int32" ? "int" : "long";
    case "object":
      return kindOfObject(schema);
    case "string":
      if (schema["contentEncoding"] === "base64") return "base64";
      return schema["format"] === "date-time" ? "instant" : "string";
    default:
      return "any";
  }
}

function kindOfObject(schema: JsonObject): Kind {
  const mark = schema["x-codec"];
  if (schema["x-one-key-wrapper"] === true) return "oneOf";
  if (mark === "unit" || mark === "lenient") return mark;
  if (schema["x-no-defaults"] === true) return "strict";
  if (isJsonObject(schema["additionalProperties"])) return "map";
  return schema["properties"] === undefined ? "object" : "message";
}

function once<Value>(create: () => Value): () => Value {
  let value: Value | undefined;
  return () => {
    value ??= create();
    return value;
  };
}

function lazy(create: () => Decoder): Decoder {
  const decoder = once(create);
  return (value) => decoder()(value);
}
