import type { Json } from "../../foundation/json/json.ts";
import { differencesOf } from "../../foundation/table/differences.ts";
import { isTable, type Table, tableOf } from "../../foundation/table/table.ts";
import { Rights } from "../../simulator/ledger/rights.ts";
import { isGrant, isPlainObject, restoredValue, storedValue } from "./stored-value.ts";

/** A value at a path of a world, as a store keeps it: names of members, ids of rows, keys of maps. Without a value, the row or the key is removed. */
export type TableEntry = readonly [path: readonly string[], value: Json] | readonly [path: readonly string[]];

/** Names in a path. What is deeper is written as one value. */
const pathLengthMax = 64;

/**
 * What leads from one state to another. Tables are compared by the parts that they do not share, members of objects by their
 * values, and everything else is one value. The result is empty for equal states.
 */
export function differenceOf(before: unknown, after: unknown): readonly TableEntry[] {
  const entries: TableEntry[] = [];
  compare([], before, after, entries);
  return entries;
}

function compare(path: readonly string[], before: unknown, after: unknown, entries: TableEntry[]): void {
  if (Object.is(before, after)) return;
  const isDeep = path.length >= pathLengthMax;
  const [rowsBefore, rowsAfter] = isDeep ? [] : [rowsOf(before), rowsOf(after)];
  if (rowsBefore !== undefined && rowsAfter !== undefined) compareRows(path, rowsBefore, rowsAfter, entries);
  else if (!isDeep && isPlainObject(before) && isPlainObject(after) && areSame(namesOf(before), namesOf(after)))
    for (const name of namesOf(after)) compare([...path, name], before[name], after[name], entries);
  else if (!isDeep && before instanceof Map && after instanceof Map && areSame([...before.keys()], [...after.keys()]))
    for (const [key, value] of after) compare([...path, String(key)], before.get(key), value, entries);
  else if (!isSameValue(before, after)) entries.push([path, storedValue(after)]);
}

function compareRows(
  path: readonly string[],
  before: Table<unknown>,
  after: Table<unknown>,
  entries: TableEntry[],
): void {
  for (const row of differencesOf(before, after, Number.POSITIVE_INFINITY)) {
    const at = [...path, row.id];
    if (row.after === undefined) entries.push([at]);
    else if (row.before === undefined) entries.push([at, storedValue(row.after)]);
    else compare(at, row.before, row.after, entries);
  }
}

/** The rows of a table, or of the rights of a user. */
function rowsOf(value: unknown): Table<unknown> | undefined {
  if (value instanceof Rights) return value.grants;
  return isTable(value) ? value : undefined;
}

function namesOf(value: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.keys(value).filter((name) => value[name] !== undefined);
}

function areSame(left: readonly unknown[], right: readonly unknown[]): boolean {
  return left.length === right.length && left.every((each, index) => each === right[index]);
}

function isSameValue(left: unknown, right: unknown): boolean {
  return JSON.stringify(storedValue(left)) === JSON.stringify(storedValue(right));
}

/** A whole state as entries: first the state with empty tables, then every row of its tables. */
export function* entriesOf(state: unknown): IterableIterator<TableEntry> {
  yield [[], storedValue(withEmptyTables(state))];
  yield* rowEntries([], state);
}

function withEmptyTables(value: unknown): unknown {
  if (isTable(value)) return tableOf([]);
  if (value instanceof Map) return new Map([...value].map(([key, each]) => [key, withEmptyTables(each)]));
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withEmptyTables(member)]));
}

function* rowEntries(path: readonly string[], value: unknown): IterableIterator<TableEntry> {
  if (isTable(value)) for (const [id, row] of value.entries()) yield [[...path, id], storedValue(row)];
  else if (value instanceof Map) for (const [key, each] of value) yield* rowEntries([...path, String(key)], each);
  else if (isPlainObject(value))
    for (const [name, member] of Object.entries(value)) yield* rowEntries([...path, name], member);
}

/** The entries of a stored JSON. Throws an Error for any other JSON. */
export function entriesOfJson(stored: unknown): readonly TableEntry[] {
  if (!Array.isArray(stored) || !stored.every(isEntry))
    throw new Error("the entries of a stored change are not readable");
  return stored;
}

function isEntry(entry: unknown): entry is readonly [path: readonly string[], value: Json] {
  if (!Array.isArray(entry) || !Array.isArray(entry[0]) || entry[0].length > pathLengthMax) return false;
  return entry[0].every((name) => typeof name === "string");
}

/** The state after the entries, in their order. Throws an Error if a path leads nowhere. */
export function withEntries(state: unknown, entries: Iterable<TableEntry>): unknown {
  const root = new Changes();
  for (const [path, ...value] of entries) root.add(path, value);
  return root.changed(state);
}

/** Changes below one place of a state, so that each place is changed once. */
class Changes {
  readonly #below = new Map<string, Changes>();
  /** The last value of this place; changes below it come later. Undefined if it has none, an empty list if it is removed. */
  #own: readonly Json[] | undefined;

  add(path: readonly string[], value: readonly Json[], depth = 0): void {
    const name = path[depth];
    if (name === undefined) {
      this.#own = value;
      this.#below.clear();
      return;
    }
    let below = this.#below.get(name);
    if (below === undefined) {
      below = new Changes();
      this.#below.set(name, below);
    }
    below.add(path, value, depth + 1);
  }

  /** The value of this place after the changes; `isRemoved` if it has none then. */
  changed(before: unknown): unknown {
    const [stored] = this.#own ?? [];
    const own = stored === undefined ? before : restoredValue(stored);
    if (this.#below.size === 0) return own;
    if (own instanceof Rights) return this.#changedRights(own);
    if (isTable(own)) return this.#changedRows(own);
    if (own instanceof Map) return this.#changedMap(own);
    if (isPlainObject(own)) return { ...own, ...Object.fromEntries(this.#membersOf((name) => own[name])) };
    throw new Error(`a stored change has no place: ${[...this.#below.keys()].slice(0, 3).join(", ")}`);
  }

  get #isRemoved(): boolean {
    return this.#own?.length === 0 && this.#below.size === 0;
  }

  #membersOf(earlier: (name: string) => unknown): readonly (readonly [string, unknown])[] {
    return Array.from(this.#below, ([name, changes]) => [name, changes.changed(earlier(name))] as const);
  }

  #changedMap(map: ReadonlyMap<unknown, unknown>): ReadonlyMap<unknown, unknown> {
    return new Map([...map, ...this.#membersOf((key) => map.get(key))]);
  }

  #changedRows<Row>(table: Table<Row>): Table<unknown> {
    if (table.size === 0) return tableOf(this.#kept().map(([id, changes]) => [id, changes.changed(undefined)]));
    let rows: Table<unknown> = table;
    for (const [id, changes] of this.#below)
      rows = changes.#isRemoved ? rows.without(id) : rows.with(id, changes.changed(table.get(id)), true);
    return rows;
  }

  #kept(): readonly (readonly [string, Changes])[] {
    return [...this.#below].filter(([, changes]) => !changes.#isRemoved);
  }

  #changedRights({ grants }: Rights): Rights {
    let table = grants;
    for (const [key, changes] of this.#below) {
      const grant = changes.#isRemoved ? undefined : changes.changed(grants.get(key));
      if (grant === undefined) table = table.without(key);
      else if (isGrant(grant)) table = table.with(key, grant, true);
      else throw new Error(`a stored grant is not readable: ${key}`);
    }
    return Rights.granted(table);
  }
}
