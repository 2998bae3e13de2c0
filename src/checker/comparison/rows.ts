import { formatJson, isJsonObject, type Json, textOfJson } from "../../foundation/json/json.ts";
import { isIgnored, isTimestamp, opaque, prose } from "./compared-parts.ts";
import type { Correspondence } from "./correspondence.ts";
import { keyOf, type Name, partsOf } from "./names.ts";

/** Gives the sort key of a row; rows are sorted before they are compared. */
export type RowKey = (row: Json) => string;

export interface Row {
  readonly value: Json;
  readonly index: number;
}

/** Sorts the rows of a list by their keys; rows with equal keys keep their order. Without keys the list keeps its order. */
export function rowsSortedBy(list: readonly Json[], key: RowKey | undefined): readonly Row[] {
  const rows = list.map((value, index) => ({ value, index }));
  if (key === undefined || rows.length < 2) return rows;
  const keyed = rows.map((row) => ({ row, key: key(row.value) }));
  return keyed.sort((left, right) => (left.key < right.key ? -1 : left.key > right.key ? 1 : 0)).map(({ row }) => row);
}

/** Lists whose order has no meaning, and the keys of their rows. */
const unordered: Readonly<Record<string, RowKey>> = {
  newlyGrantedRights: nameless,
  newlyRevokedRights: nameless,
  rights: nameless,
  packages: (row) => textAt(row, "packageId"),
  disclosedContracts: (row) => textAt(row, "templateId").replace(/^[^:]*/, ""),
};

/** The sort key of a list; undefined if its order has a meaning. */
export function namelessKey(list: string): RowKey | undefined {
  return Object.hasOwn(unordered, list) ? unordered[list] : undefined;
}

function nameless(row: Json): string {
  return formatJson(row).replaceAll(/[0-9a-f]{32}[0-9a-f]*/g, "#");
}

function textAt(row: Json, member: string): string {
  return isJsonObject(row) ? textOfJson(row[member] ?? null) : "";
}

/** Sort keys for lists of independent nodes, which have their own names and orders. Unmatched names count as equal. */
export function keysAcrossNodes(
  correspondence: Correspondence,
  list: string,
): { readonly oracle: RowKey; readonly target: RowKey } {
  const isMatched = (key: string) => correspondence.oracleOf(key) !== undefined;
  return {
    oracle: (row) => textOf(row, list, (name) => correspondence.targetOf(keyOf(name)) ?? "#"),
    target: (row) => textOf(row, list, (name) => (isMatched(keyOf(name)) ? keyOf(name) : "#")),
  };
}

function textOf(value: Json, member: string, keyOfName: (name: Name) => string): string {
  if (isIgnored(member)) return "";
  if (Array.isArray(value)) return `[${value.map((element) => textOf(element, member, keyOfName)).join()}]`;
  if (isJsonObject(value)) {
    const members = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
    return `{${members.map(([name, inner]) => `${name}:${textOf(inner, name, keyOfName)}`).join()}}`;
  }
  if (typeof value !== "string") return String(value);
  if (prose.has(member) || isTimestamp(value)) return "";
  if (opaque.has(member)) return keyOfName({ type: "name", space: "", text: value });
  return partsOf(value)
    .map((part) => (part.type === "text" ? part.text : keyOfName(part)))
    .join("");
}
