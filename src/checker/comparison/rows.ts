import { formatJson, isJsonObject, type Json, textOfJson } from "../../foundation/json/json.ts";
import { isTimestamp, isUncounted, opaque, prose } from "./compared-parts.ts";
import type { Correspondence } from "./correspondence.ts";
import { keyOf, type Name, partsOf } from "./names.ts";

/** What a row of a list is sorted by before it is compared. */
export type RowKey = (row: Json) => string;

export interface Row {
  readonly value: Json;
  readonly index: number;
}

/** The rows of a list in the order of their keys, equal ones as they stood; where there is no key, all as they stood. */
export function rowsSortedBy(list: readonly Json[], key: RowKey | undefined): readonly Row[] {
  const rows = list.map((value, index) => ({ value, index }));
  if (key === undefined || rows.length < 2) return rows;
  const keyed = rows.map((row) => ({ row, key: key(row.value) }));
  return keyed.sort((left, right) => (left.key < right.key ? -1 : left.key > right.key ? 1 : 0)).map(({ row }) => row);
}

/** Lists without an order, and what their rows are sorted by. */
const unordered: Readonly<Record<string, RowKey>> = {
  newlyGrantedRights: nameless,
  newlyRevokedRights: nameless,
  rights: nameless,
  packages: (row) => textAt(row, "packageId"),
  disclosedContracts: (row) => textAt(row, "templateId").replace(/^[^:]*/, ""),
};

/** What the rows of this list are sorted by where their order says nothing; undefined where it does. */
export function namelessKey(list: string): RowKey | undefined {
  return Object.hasOwn(unordered, list) ? unordered[list] : undefined;
}

function nameless(row: Json): string {
  return formatJson(row).replaceAll(/[0-9a-f]{32,}/g, "#");
}

function textAt(row: Json, member: string): string {
  return isJsonObject(row) ? textOfJson(row[member] ?? null) : "";
}

/** What rows are sorted by where each side has its own names, and so its own order: names that are not matched yet say nothing. */
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

function textOf(value: Json, member: string, called: (name: Name) => string): string {
  if (isUncounted(member)) return "";
  if (Array.isArray(value)) return `[${value.map((element) => textOf(element, member, called)).join()}]`;
  if (isJsonObject(value)) {
    const members = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
    return `{${members.map(([name, inner]) => `${name}:${textOf(inner, name, called)}`).join()}}`;
  }
  if (typeof value !== "string") return String(value);
  if (prose.has(member) || isTimestamp(value)) return "";
  if (opaque.has(member)) return called({ type: "name", space: "", text: value });
  return partsOf(value)
    .map((part) => (part.type === "text" ? part.text : called(part)))
    .join("");
}
