// The members of a JSON schema as rows of a table.
import { cell } from "../_cell.ts";

/** What the rows show of a JSON schema. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly default?: unknown;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

/** Gives the schema that a `$ref` names. */
export type Resolve = (reference: string) => Schema | undefined;

/** Depth of the deepest member that is shown: members of members end there. */
const depthMax = 6;

/** A member as a row shows it. */
interface MemberRow {
  readonly types: Set<string>;
  readonly meaning: string;
}

/** A table of the members of a schema, with those of members below them; empty if there are none. It marks the required members of what users write. */
export function schemaTable(schema: Schema, resolve: Resolve, isWritten = true): readonly string[] {
  const rows = new Map<string, MemberRow>();
  const walk = (given: Schema, path: string, depth: number): void => {
    if (depth > depthMax) return;
    const { properties = {}, required = [], items, additionalProperties, ...rest } = resolved(given, resolve);
    for (const [name, member] of Object.entries(properties)) {
      const place = path === "" ? name : `${path}.${name}`;
      const known = rows.get(place);
      if (known === undefined) rows.set(place, rowOf(member, resolve, isWritten && required.includes(name)));
      else known.types.add(typeOf(member, resolve));
      walk(member, place, depth + 1);
    }
    if (items !== undefined) walk(items, `${path}[]`, depth);
    if (typeof additionalProperties === "object")
      walk(additionalProperties, path === "" ? "*" : `${path}.*`, depth + 1);
    for (const part of [...(rest.oneOf ?? []), ...(rest.anyOf ?? []), ...(rest.allOf ?? [])]) walk(part, path, depth);
  };
  walk(schema, "", 0);
  if (rows.size === 0) return [];
  return ["| Member | Type | Meaning |", "| --- | --- | --- |", ...[...rows].map(rowText), ""];
}

function rowText([place, { types, meaning }]: readonly [string, MemberRow]): string {
  return `| \`${place}\` | ${cell([...types].join(" or "))} | ${cell(meaning)} |`;
}

/** The schema with what its `$ref` names; its own description takes precedence. */
function resolved(schema: Schema, resolve: Resolve): Schema {
  if (schema.$ref === undefined) return schema;
  return { ...resolve(schema.$ref), ...schema };
}

function rowOf(given: Schema, resolve: Resolve, isRequired: boolean): MemberRow {
  const member = resolved(given, resolve);
  const defaultText = member.default === undefined ? [] : [`Default: \`${JSON.stringify(member.default)}\`.`];
  const description = member.description === undefined ? [] : [member.description.replace(/[^.]$/, "$&.")];
  const meaning = [...(isRequired ? ["Required."] : []), ...description, ...defaultText].join(" ");
  return { types: new Set([typeOf(member, resolve)]), meaning };
}

function typeOf(given: Schema, resolve: Resolve): string {
  const {
    const: constant,
    enum: values,
    oneOf = [],
    anyOf = [],
    allOf = [],
    items,
    ...schema
  } = resolved(given, resolve);
  if (constant !== undefined) return `\`${JSON.stringify(constant)}\``;
  if (values !== undefined) return values.map((value) => `\`${JSON.stringify(value)}\``).join(", ");
  const names = [schema.type ?? []].flat().map((type) => (type === "array" ? listOf(items, resolve) : type));
  const all = names.length > 0 ? names : [...oneOf, ...anyOf, ...allOf].map((part) => typeOf(part, resolve));
  if (all.length === 0) return schema.properties === undefined ? "any value" : "object";
  return [...new Set(all)].join(" or ");
}

function listOf(items: Schema | undefined, resolve: Resolve): string {
  const type = items === undefined ? "" : typeOf(items, resolve);
  return type === "" ? "list" : `list of ${type}`;
}
