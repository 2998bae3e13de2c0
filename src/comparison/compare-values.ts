import { formatJson, isJsonObject, type Json, type JsonObject } from "../http/json.ts";
import { escapeSegment } from "../spec/operation.ts";
import type { Clash, Correspondence } from "./correspondence.ts";
import type { Difference } from "./difference.ts";

/** What comparing needs to know of the answers that the values stand in. */
export interface Comparison {
  readonly isError: boolean;
  /** Whether the error's code is a sentence. */
  readonly isLegacy: boolean;
  readonly place: number;
  readonly correspondence: Correspondence;
}

/** Texts for people: there on both sides, and no more is asked. */
const prose: ReadonlySet<string> = new Set(["cause", "error", "errors", "message"]);
/** What tells one request from another in a log. */
const uncounted: ReadonlySet<string> = new Set(["correlationId", "traceId"]);
/** What a side names by a text that only it can read. */
const opaque: ReadonlySet<string> = new Set([
  "createdEventBlob",
  "externalTransactionHash",
  "multiHash",
  "nextPageToken",
  "topologyTransactions",
]);
const offsets: ReadonlySet<string> = new Set(["completionOffset", "offset"]);
/** Lists without an order, and what their rows are sorted by. */
const unordered: Readonly<Record<string, (row: Json) => string>> = {
  newlyGrantedRights: nameless,
  newlyRevokedRights: nameless,
  rights: nameless,
  packages: (row) => textAt(row, "packageId"),
  disclosedContracts: (row) => textAt(row, "templateId").replace(/^[^:]*/, ""),
};

const identifier = /[0-9a-f]{32,}/g;
const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

/** The first place where two values differ, names that a side gives by itself apart. */
export function compareValues(oracle: Json, target: Json, comparison: Comparison): Difference | undefined {
  return compare({ oracle, target, name: "", pointer: "" }, comparison);
}

/** Two values at the same place; `name` is that of the nearest member around them. */
interface Pair {
  readonly oracle: Json;
  readonly target: Json;
  readonly name: string;
  readonly pointer: string;
}

function compare(pair: Pair, comparison: Comparison): Difference | undefined {
  const { oracle, target, name, pointer } = pair;
  if (uncounted.has(name)) return undefined;
  if (kindOf(oracle) !== kindOf(target)) return differing("value", pair);
  if (Array.isArray(oracle) && Array.isArray(target))
    return prose.has(name) ? undefined : compareLists(oracle, target, { name, pointer }, comparison);
  if (isJsonObject(oracle) && isJsonObject(target))
    return compareObjects(oracle, target, { name, pointer }, comparison);
  if (typeof oracle === "string" && typeof target === "string")
    return compareTexts({ ...pair, oracle, target }, comparison);
  if (offsets.has(name) && isInteger(oracle) && isInteger(target)) {
    const place = { step: comparison.place, pointer };
    const clash = comparison.correspondence.bindOffset(BigInt(oracle), BigInt(target), place);
    return clash === undefined ? undefined : clashing("order", pair, clash);
  }
  return String(oracle) === String(target) ? undefined : differing("value", pair);
}

function isInteger(value: Json): value is number | bigint {
  return typeof value === "bigint" || Number.isSafeInteger(value);
}

interface Spot {
  readonly name: string;
  readonly pointer: string;
}

function compareObjects(
  oracle: JsonObject,
  target: JsonObject,
  { name, pointer }: Spot,
  comparison: Comparison,
): Difference | undefined {
  const isContext = comparison.isError && name === "context";
  for (const member of Object.keys(oracle)) {
    const at = `${pointer}/${escapeSegment(member)}`;
    if (uncounted.has(member)) continue;
    if (!Object.hasOwn(target, member)) return differing("missing", { oracle: oracle[member], pointer: at });
    if (isContext || (member === "code" && comparison.isError && comparison.isLegacy)) continue;
    const pair = { oracle: oracle[member] ?? null, target: target[member] ?? null, name: member, pointer: at };
    const found = compare(pair, comparison);
    if (found !== undefined) return found;
  }
  // What else a node notes in an error's context is its own affair (facts, ledger-api 5).
  const surplus = Object.keys(target).find((member) => !Object.hasOwn(oracle, member) && !uncounted.has(member));
  if (surplus === undefined || isContext) return undefined;
  return differing("surplus", { target: target[surplus], pointer: `${pointer}/${escapeSegment(surplus)}` });
}

function compareLists(
  oracle: readonly Json[],
  target: readonly Json[],
  { name, pointer }: Spot,
  comparison: Comparison,
): Difference | undefined {
  if (oracle.length !== target.length)
    return differing("length", { oracle: [...oracle], target: [...target], pointer });
  const [left, right] = [rowsOf(oracle, name), rowsOf(target, name)];
  for (const [place, row] of left.entries()) {
    const other = right[place] ?? row;
    const pair = { oracle: row.value, target: other.value, name, pointer: `${pointer}/${row.index}` };
    const found = compare(pair, comparison);
    if (found !== undefined) return found;
  }
  return undefined;
}

interface Row {
  readonly value: Json;
  readonly index: number;
}

function rowsOf(list: readonly Json[], name: string): readonly Row[] {
  const rows = list.map((value, index) => ({ value, index }));
  const key = Object.hasOwn(unordered, name) ? unordered[name] : undefined;
  if (key === undefined) return rows;
  const keyed = rows.map((row) => ({ row, key: key(row.value) }));
  return keyed.sort((left, right) => (left.key < right.key ? -1 : left.key > right.key ? 1 : 0)).map(({ row }) => row);
}

function compareTexts(
  pair: Pair & { readonly oracle: string; readonly target: string },
  { place, correspondence }: Comparison,
): Difference | undefined {
  const { oracle, target, name, pointer } = pair;
  if (prose.has(name)) return undefined;
  const here = { step: place, pointer };
  if (opaque.has(name) && oracle !== "" && target !== "") {
    const clash = correspondence.bind(oracle, target, here);
    return clash === undefined ? undefined : clashing("identity", pair, clash);
  }
  if (moment.test(oracle) && moment.test(target) && !correspondence.isBound(oracle)) {
    const clash = correspondence.bindTime(BigInt(Date.parse(oracle)), BigInt(Date.parse(target)), here);
    return clash === undefined ? undefined : clashing("order", pair, clash);
  }
  return compareNames(pair, { place, correspondence });
}

/** Identifiers are long runs of hex digits; they are matched, and what stands around them is compared. */
function compareNames(
  pair: Pair & { readonly oracle: string; readonly target: string },
  { place, correspondence }: Pick<Comparison, "place" | "correspondence">,
): Difference | undefined {
  const { oracle, target, pointer } = pair;
  if (oracle.replaceAll(identifier, "#") !== target.replaceAll(identifier, "#")) return differing("value", pair);
  const [left, right] = [identifiersIn(oracle), identifiersIn(target)];
  for (const [index, run] of left.entries()) {
    const clash = correspondence.bind(run, right[index] ?? "", { step: place, pointer });
    if (clash !== undefined) return clashing("identity", pair, clash);
  }
  return undefined;
}

/** The identifiers in a text. */
export function identifiersIn(text: string): readonly string[] {
  return text.match(identifier) ?? [];
}

/** The moments that a value holds. */
export function isMoment(text: string): boolean {
  return moment.test(text);
}

function nameless(row: Json): string {
  return formatJson(row).replaceAll(identifier, "#");
}

function textAt(row: Json, member: string): string {
  return isJsonObject(row) ? String(row[member]) : "";
}

function kindOf(value: Json): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "list";
  return typeof value === "bigint" ? "number" : typeof value;
}

function differing(
  aspect: Difference["aspect"],
  {
    oracle,
    target,
    pointer,
  }: { readonly oracle?: Json | undefined; readonly target?: Json | undefined; readonly pointer: string },
): Difference {
  return { aspect, pointer, oracle, target, clash: undefined };
}

function clashing(aspect: "identity" | "order", { oracle, target, pointer }: Pair, clash: Clash): Difference {
  return { aspect, pointer, oracle, target, clash };
}
