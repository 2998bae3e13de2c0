import { type Bytes, int, joined, message } from "./_fields.ts";
import { definitionId, type Reference, type Tables } from "./_tables.ts";

/** A part of a description. Called with the tables of a package, it returns fields of a message. */
export type Part = (tables: Tables) => Bytes;

/** Parts in order. The order matters: names get their numbers as they are met. */
export const all =
  (...parts: readonly Part[]): Part =>
  (tables) =>
    joined(...parts.map((part) => part(tables)));

export const within =
  (number: number, ...parts: readonly Part[]): Part =>
  (tables) =>
    message(number, all(...parts)(tables));

/** The message of each entry, all in the same field. */
export const each = <Entry>(number: number, entries: readonly Entry[], part: (entry: Entry) => Part): Part =>
  all(...entries.map((entry) => within(number, part(entry))));

export const fixedPart =
  (bytes: Bytes): Part =>
  () =>
    bytes;

export const name =
  (number: number, text: string): Part =>
  (tables) =>
    int(number, tables.identifier(text));

export const dottedName =
  (number: number, text: string): Part =>
  (tables) =>
    int(number, tables.dottedName(text));

export const typeId = (number: number, reference: Reference): Part =>
  within(number, (tables) => definitionId(tables, reference, "type"));

/** FieldWithType, VarWithType, FieldWithExpr and TypeVarWithKind have the same two fields. */
export const named = (text: string, part: Part): Part => all(name(3, text), within(2, part));
