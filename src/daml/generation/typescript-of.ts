import type { Dar } from "../archives/dar.ts";
import type { DataShape, DataType, LfChoice } from "../packages/definitions.ts";
import type { LfField, LfType } from "../packages/lf-type.ts";
import { definitionNames } from "./_definition-names.ts";
import { preamble } from "./_preamble.ts";
import { Definitions } from "./definitions.ts";

/**
 * The TypeScript types of the templates, choices and interface views of a package, as the JSON Ledger API carries their
 * values, and the types that they are made of. Templates and interfaces are named `#package:Module:Name`.
 */
export function typescriptOf(dar: Dar): string {
  const definitions = new Definitions(dar);
  const main = dar.main.package;
  const { templates } = main;
  const implemented = templates.flatMap((template) => [...template.implements.keys()]);
  const interfaceIds = [...new Set([...main.interfaces.map(({ id }) => id), ...implemented])];
  const interfaces = interfaceIds.flatMap((id) => definitions.interface(id) ?? []);
  const data = definitions.reachable([
    ...templates.flatMap(({ id, choices }) => [conOf(id), ...typesOf(choices)]),
    ...interfaces.flatMap(({ view, choices }) => [view, ...typesOf(choices)]),
  ]);
  const printer = new Printer(definitions, definitionNames([...data.keys()], definitions));
  const templateRows = templates.map(
    ({ id, choices, implements: instances }): Row => [
      definitions.publicId(id),
      ["payload", printer.type(conOf(id))],
      ["choices", printer.choices(choices)],
      ["interfaces", union([...instances.keys()].map((each) => JSON.stringify(definitions.publicId(each))))],
    ],
  );
  const interfaceRows = interfaces.map(
    ({ id, view, choices }): Row => [
      definitions.publicId(id),
      ["view", printer.type(view)],
      ["choices", printer.choices(choices)],
    ],
  );
  const header = `// Types of ${main.name} ${main.version}, by understudy generate types. Package ${main.id}`;
  const tables = [tableOf("Templates", templateRows), tableOf("Interfaces", interfaceRows)];
  return `${[header, preamble, ...[...data.values()].map((each) => printer.declaration(each)), ...tables].join("\n\n")}\n`;
}

type Row = readonly [id: string, ...members: readonly (readonly [name: string, type: string])[]];

const conOf = (id: string): LfType => ({ type: "con", id, args: [] });

const typesOf = (choices: ReadonlyMap<string, LfChoice>): readonly LfType[] =>
  [...choices.values()].flatMap(({ argument, returnType }) => [argument.type, returnType]);

function tableOf(name: string, rows: readonly Row[]): string {
  const lines = rows.map(([id, ...members]) => `  readonly ${JSON.stringify(id)}: ${objectOf(members, "  ")};\n`);
  return `export interface ${name} {\n${lines.join("")}}`;
}

function objectOf(members: readonly (readonly [name: string, type: string])[], indent = ""): string {
  if (members.length === 0) return "Unit";
  return `{\n${members.map(([name, type]) => `${indent}  readonly ${name}: ${type};\n`).join("")}${indent}}`;
}

const union = (types: readonly string[]): string => (types.length === 0 ? "never" : types.join(" | "));

const memberName = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name));

/** Types of Daml in TypeScript. */
class Printer {
  readonly #definitions: Definitions;
  readonly #names: ReadonlyMap<string, string>;

  constructor(definitions: Definitions, names: ReadonlyMap<string, string>) {
    this.#definitions = definitions;
    this.#names = names;
  }

  declaration({ id, params, shape }: DataType): string {
    const variables = new Map(params.map((param, at) => [param, `T${at + 1}`]));
    const body = this.#shape(shape, variables);
    // A parameter without a use begins with an underscore, for users who let the compiler refuse others.
    const named = [...variables.values()].map((each) => (new RegExp(`\\b${each}\\b`).test(body) ? each : `_${each}`));
    const name = `${this.#names.get(id)}${params.length === 0 ? "" : `<${named.join(", ")}>`}`;
    return `/** ${this.#definitions.publicId(id)} */\nexport type ${name} = ${body};`;
  }

  #shape(shape: DataShape, variables: ReadonlyMap<string, string>): string {
    switch (shape.type) {
      case "record":
        return objectOf(shape.fields.map((field) => this.#member(field, variables)));
      case "variant":
        return union(
          shape.fields.map(({ name, type }) => {
            return `{ readonly tag: ${JSON.stringify(name)}; readonly value: ${this.type(type, variables)} }`;
          }),
        );
      case "enum":
        return union(shape.constructors.map((each) => JSON.stringify(each)));
      default:
        return "never";
    }
  }

  /** A request may omit a member that is optional. */
  #member({ name, type }: LfField, variables: ReadonlyMap<string, string>): readonly [string, string] {
    const content = this.#definitions.optionalContent(type);
    const isOptional = content !== undefined && this.#definitions.optionalContent(content) === undefined;
    return [`${memberName(name)}${isOptional ? "?" : ""}`, this.type(type, variables)];
  }

  choices(choices: ReadonlyMap<string, LfChoice>): string {
    const rows = [...choices.values()].map(({ name, argument, returnType, isConsuming }): readonly [string, string] => {
      const types = `argument: ${this.type(argument.type)}; readonly result: ${this.type(returnType)}`;
      return [memberName(name), `{ readonly ${types}; readonly isConsuming: ${isConsuming} }`];
    });
    return objectOf(rows, "    ");
  }

  type(given: LfType, variables: ReadonlyMap<string, string> = new Map()): string {
    const content = this.#definitions.optionalContent(given);
    if (content !== undefined) return this.#optional(content, variables, "Optional");
    const type = this.#definitions.expanded(given);
    const args = "args" in type ? type.args.map((arg) => this.type(arg, variables)) : [];
    const applied = (name: string) => (args.length === 0 ? name : `${name}<${args.join(", ")}>`);
    if (type.type === "con") return applied(this.#names.get(type.id) ?? "unknown");
    if (type.type === "var") return args.length === 0 ? (variables.get(type.name) ?? "unknown") : "unknown";
    return type.type === "builtin" ? builtinType(type.name, args, applied) : "unknown";
  }

  #optional(content: LfType, variables: ReadonlyMap<string, string>, outer: "Optional" | "Nested"): string {
    const inner = this.#definitions.optionalContent(content);
    if (inner === undefined) return `${outer}<${this.type(content, variables)}>`;
    return `Nested<${this.#optional(inner, variables, "Nested")}>`;
  }
}

const plainTypes: ReadonlyMap<string, string> = new Map([
  ["Unit", "Unit"],
  ["Bool", "boolean"],
  ["Int64", "Int64"],
  ["Date", "Day"],
  ["Timestamp", "Timestamp"],
  ["Numeric", "Numeric"],
  ["Party", "Party"],
  ["Text", "string"],
  ["ContractId", "ContractId"],
]);

function builtinType(name: string, args: readonly string[], applied: (name: string) => string): string {
  const plain = plainTypes.get(name);
  if (plain !== undefined) return plain;
  if (name === "List") return `readonly ${/^(?:readonly|null)|[|&]/.test(args[0] ?? "") ? `(${args[0]})` : args[0]}[]`;
  return ["TextMap", "GenMap"].includes(name) ? applied(name) : "unknown";
}
