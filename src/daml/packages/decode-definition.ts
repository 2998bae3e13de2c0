import type { MessageList, WireMessage } from "../wire/message.ts";
import type {
  DataShape,
  DataType,
  InterfaceInstance,
  LfChoice,
  LfException,
  LfInterface,
  LfTemplate,
  LfValue,
  TypeSynonym,
} from "./definitions.ts";
import { type LfField, lfFields, lfType, type NameTables } from "./lf-type.ts";

/** A place for the ids of definitions, `package:Module`, and the tables of its package. */
export interface Surroundings extends NameTables {
  readonly moduleId: string;
}

export function dataType(message: WireMessage<"DefDataType">, tables: Surroundings): DataType {
  return {
    id: idOf(message.number("name"), tables),
    params: paramsOf(message.all("params"), tables),
    isSerializable: message.bool("serializable"),
    shape: shapeOf(message, tables),
  };
}

function shapeOf(message: WireMessage<"DefDataType">, tables: NameTables): DataShape {
  const [record, variant, enumeration] = [message.one("record"), message.one("variant"), message.one("enum")];
  if (record !== undefined) return { type: "record", fields: lfFields(record, tables) };
  if (variant !== undefined) return { type: "variant", fields: lfFields(variant, tables) };
  if (enumeration === undefined) return { type: "interface" };
  return { type: "enum", constructors: enumeration.numbers("constructors").map((index) => tables.text(index)) };
}

export function synonym(message: WireMessage<"DefTypeSyn">, tables: NameTables): TypeSynonym {
  return { params: paramsOf(message.all("params"), tables), type: lfType(message.one("type"), tables) };
}

export function template(message: WireMessage<"DefTemplate">, tables: Surroundings): LfTemplate {
  const key = message.one("key");
  return {
    id: idOf(message.number("name"), tables),
    param: tables.text(message.number("param")),
    precondition: message.one("precond"),
    signatories: message.one("signatories"),
    observers: message.one("observers"),
    choices: choicesOf(message.all("choices"), tables),
    key: key && {
      type: lfType(key.one("type"), tables),
      key: key.one("keyExpr"),
      maintainers: key.one("maintainers"),
    },
    implements: new Map(
      message.all("implements").map((one) => [tables.definitionId(one.one("interface")), instance(one, tables)]),
    ),
  };
}

function instance(message: WireMessage<"Implements">, tables: NameTables): InterfaceInstance {
  const body = message.one("body");
  const methods = body
    ?.all("methods")
    .map((method) => [tables.text(method.number("name")), method.one("value")] as const);
  return { methods: new Map(methods), view: body?.one("view") };
}

function choicesOf(messages: MessageList<"TemplateChoice">, tables: NameTables): ReadonlyMap<string, LfChoice> {
  return new Map(messages.map((message) => choice(message, tables)).map((one) => [one.name, one]));
}

function choice(message: WireMessage<"TemplateChoice">, tables: NameTables): LfChoice {
  return {
    name: tables.text(message.number("name")),
    isConsuming: message.bool("consuming"),
    self: tables.text(message.number("selfBinder")),
    argument: binder(message.one("argBinder"), tables),
    returnType: lfType(message.one("returnType"), tables),
    controllers: message.one("controllers"),
    observers: message.one("observers"),
    update: message.one("update"),
  };
}

function binder(message: WireMessage<"VarWithType"> | undefined, tables: NameTables): LfField {
  if (message === undefined) throw new RangeError("a binder is missing");
  return { name: tables.text(message.number("var")), type: lfType(message.one("type"), tables) };
}

export function lfInterface(message: WireMessage<"DefInterface">, tables: Surroundings): LfInterface {
  return {
    id: idOf(message.number("name"), tables),
    param: tables.text(message.number("param")),
    methods: new Map(
      message.all("methods").map((one) => [tables.text(one.number("name")), lfType(one.one("type"), tables)]),
    ),
    choices: choicesOf(message.all("choices"), tables),
    view: lfType(message.one("view"), tables),
    requires: message.all("requires").map((id) => tables.definitionId(id)),
  };
}

export function value(message: WireMessage<"DefValue">, tables: Surroundings): LfValue {
  const named = message.one("nameWithType");
  return {
    id: idOf(named?.number("name") ?? 0, tables),
    type: lfType(named?.one("type"), tables),
    body: message.one("expr"),
  };
}

export function exception(message: WireMessage<"DefException">, tables: Surroundings): LfException {
  return { id: idOf(message.number("name"), tables), message: message.one("message") };
}

function idOf(name: number, { moduleId, dottedName }: Surroundings): string {
  return `${moduleId}:${dottedName(name)}`;
}

function paramsOf(params: MessageList<"TypeVarWithKind">, tables: NameTables): readonly string[] {
  return params.map((param) => tables.text(param.number("var")));
}
