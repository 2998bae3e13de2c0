import { flag, int, packed } from "./_fields.ts";
import { all, dottedName, fixedPart, type Part, within } from "./_parts.ts";
import type { Expression } from "./expressions.ts";
import { type Members, members, type Type } from "./types.ts";

/** A definition of a module: the number of its list in `Module`, and its fields. */
export type Definition = readonly [list: number, part: Part];

export interface DataOptions {
  /** Type parameters with their kinds. */
  readonly parameters?: Members;
  readonly isSerializable?: boolean;
}

function dataType(name: string, { parameters = {}, isSerializable = true }: DataOptions, content: Part): Definition {
  const head = all(dottedName(2, name), members(3, parameters), fixedPart(flag(4, isSerializable)));
  return [4, all(head, content)];
}

export const recordType = (name: string, fields: Members, options: DataOptions = {}): Definition =>
  dataType(name, options, within(5, members(1, fields)));

export const variantType = (name: string, constructors: Members, options: DataOptions = {}): Definition =>
  dataType(name, options, within(6, members(1, constructors)));

export const enumType = (name: string, ...constructors: readonly string[]): Definition =>
  dataType(
    name,
    {},
    within(7, (tables) =>
      packed(
        2,
        constructors.map((each) => tables.identifier(each)),
      ),
    ),
  );

export const interfaceType = (name: string): Definition => dataType(name, { isSerializable: false }, within(8));

export const synonym = (name: string, type: Type, parameters: Members = {}): Definition => [
  3,
  all(dottedName(2, name), members(3, parameters), within(4, type)),
];

/** A value at the top of a module. */
export const definition = (name: string, type: Type, expression: Expression): Definition => [
  5,
  all(
    within(2, (tables) => int(1, tables.valueName(name)), within(2, type)),
    within(3, expression),
  ),
];

/** An exception: a record, and a function from it to the text of its message. */
export const exception = (name: string, fields: Members, message: Expression): readonly Definition[] => [
  recordType(name, fields),
  [7, all(dottedName(1, name), within(3, message))],
];
