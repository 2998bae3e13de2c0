import type { MessageList, WireMessage } from "../wire/message.ts";
import { builtinTypes } from "../wire/schema.ts";

/** A type of Daml-LF. Definitions are named `package:Module:Name`. */
export type LfType =
  | { readonly type: "var"; readonly name: string; readonly args: readonly LfType[] }
  | { readonly type: "con"; readonly id: string; readonly args: readonly LfType[] }
  | { readonly type: "synonym"; readonly id: string; readonly args: readonly LfType[] }
  | { readonly type: "builtin"; readonly name: string; readonly args: readonly LfType[] }
  | { readonly type: "nat"; readonly value: number }
  | { readonly type: "struct"; readonly fields: readonly LfField[] }
  | { readonly type: "forall"; readonly vars: readonly string[]; readonly body: LfType };

/** A field of a record, a constructor of a variant with its payload, or a bound variable. */
export interface LfField {
  readonly name: string;
  readonly type: LfType;
}

/** The tables of a package that types refer to. */
export interface NameTables {
  text(index: number): string;
  dottedName(index: number): string;
  definitionId(id: WireMessage<"DefinitionId"> | undefined): string;
  /** The type at an index of the table of types. */
  typeAt(index: number): LfType;
}

/** Decodes a type. Applications are collected into the arguments of what is applied. */
export function lfType(message: WireMessage<"Type"> | undefined, tables: NameTables): LfType {
  if (message === undefined) throw new RangeError("a type is missing");
  if (message.has("interned")) return tables.typeAt(message.number("interned"));
  const args = (types: MessageList<"Type">) => types.map((type) => lfType(type, tables));
  const [variable, con, syn, builtin] = [
    message.one("var"),
    message.one("con"),
    message.one("syn"),
    message.one("builtin"),
  ];
  if (variable !== undefined)
    return { type: "var", name: tables.text(variable.number("var")), args: args(variable.all("args")) };
  if (con !== undefined) return { type: "con", id: tables.definitionId(con.one("id")), args: args(con.all("args")) };
  if (syn !== undefined)
    return { type: "synonym", id: tables.definitionId(syn.one("id")), args: args(syn.all("args")) };
  if (builtin !== undefined) {
    const number = builtin.number("builtin");
    const name = builtinTypes.get(number);
    if (name === undefined) throw new RangeError(`there is no built-in type ${number}`);
    return { type: "builtin", name, args: args(builtin.all("args")) };
  }
  return otherType(message, tables);
}

function otherType(message: WireMessage<"Type">, tables: NameTables): LfType {
  const [application, forall, struct] = [message.one("tapp"), message.one("forall"), message.one("struct")];
  if (application !== undefined)
    return applied(lfType(application.one("lhs"), tables), lfType(application.one("rhs"), tables));
  if (forall !== undefined)
    return {
      type: "forall",
      vars: forall.all("vars").map((variable) => tables.text(variable.number("var"))),
      body: lfType(forall.one("body"), tables),
    };
  if (struct !== undefined) return { type: "struct", fields: lfFields(struct, tables) };
  if (message.has("nat")) return { type: "nat", value: Number(message.bigint("nat")) };
  throw new RangeError("a type has no kind");
}

/** Arguments of a type that are kept: more come from a hostile archive, each entry of which would hold those of all before it. */
const argumentsMax = 100;

/** An application of a type that takes no arguments stays that type: types are not checked here. */
function applied(type: LfType, argument: LfType): LfType {
  if (!("args" in type) || type.args.length >= argumentsMax) return type;
  return { ...type, args: [...type.args, argument] };
}

export function lfFields(struct: WireMessage<"Struct">, tables: NameTables): readonly LfField[] {
  return struct.all("fields").map((field) => ({
    name: tables.text(field.number("field")),
    type: lfType(field.one("type"), tables),
  }));
}

/** The type with types in the place of its variables. */
export function substituted(type: LfType, types: ReadonlyMap<string, LfType>): LfType {
  if (types.size === 0) return type;
  switch (type.type) {
    case "var": {
      const args = type.args.map((inner) => substituted(inner, types));
      return args.reduce(applied, types.get(type.name) ?? { ...type, args: [] });
    }
    case "con":
    case "synonym":
    case "builtin":
      return type.args.length === 0 ? type : { ...type, args: type.args.map((inner) => substituted(inner, types)) };
    case "struct":
      return {
        ...type,
        fields: type.fields.map(({ name, type: inner }) => ({ name, type: substituted(inner, types) })),
      };
    case "forall": {
      const free = new Map([...types].filter(([name]) => !type.vars.includes(name)));
      return { ...type, body: substituted(type.body, free) };
    }
    default:
      return type;
  }
}
