import { formatJson, isJsonObject, type Json, textOfJson } from "../json/json.ts";

/** Gives the sort key of a row; rows are sorted before they are compared. */
type RowKey = (row: Json) => string;

interface Row {
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
