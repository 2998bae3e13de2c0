import { isJsonObject, type Json, type JsonObject } from "../../foundation/json/json.ts";
import { identifierParts, keyOf } from "../../foundation/spec/name-parts.ts";
import { escapeSegment } from "../../foundation/spec/operation.ts";
import { namelessKey, rowsSortedBy } from "../../foundation/spec/unordered-lists.ts";
import { isTimestamp } from "../../foundation/text/timestamp.ts";
import { isIgnored, offsets, opaque, prose } from "./compared-parts.ts";
import type { Correspondence } from "./correspondence.ts";
import type { Difference } from "./difference.ts";

/** The context of compared values: the responses that contain them, and the ids matched so far. */
interface Comparison {
  readonly isError: boolean;
  /** Whether the error's code is a sentence. */
  readonly isLegacy: boolean;
  readonly correspondence: Correspondence;
}

/** The differences between two values. Generated ids are matched one for one. */
export function compareValues(oracle: Json, target: Json, comparison: Comparison): Generator<Difference> {
  return compare({ oracle, target, name: "", pointer: "" }, comparison);
}

/** Two values at the same place; `name` is that of the nearest enclosing member. */
interface Pair {
  readonly oracle: Json;
  readonly target: Json;
  readonly name: string;
  readonly pointer: string;
}

function* compare(pair: Pair, comparison: Comparison): Generator<Difference> {
  const { oracle, target, name, pointer } = pair;
  if (isIgnored(name)) return;
  if (kindOf(oracle) !== kindOf(target)) yield differing("value", pair);
  else if (Array.isArray(oracle) && Array.isArray(target)) {
    if (!prose.has(name)) yield* compareLists(oracle, target, { name, pointer }, comparison);
  } else if (isJsonObject(oracle) && isJsonObject(target))
    yield* compareObjects(oracle, target, { name, pointer }, comparison);
  else if (typeof oracle === "string" && typeof target === "string")
    yield* compareTexts({ ...pair, oracle, target }, comparison);
  else if (offsets.has(name) && isInteger(oracle) && isInteger(target))
    yield* compareOffsets({ ...pair, oracle, target }, comparison);
  else if (String(oracle) !== String(target)) yield differing("value", pair);
}

function isInteger(value: Json): value is number | bigint {
  return typeof value === "bigint" || Number.isSafeInteger(value);
}

function* compareOffsets(
  pair: Pair & { readonly oracle: number | bigint; readonly target: number | bigint },
  { correspondence }: Comparison,
): Generator<Difference> {
  if (!correspondence.bindOffset(BigInt(pair.oracle), BigInt(pair.target))) yield differing("order", pair);
}

interface MemberPlace {
  readonly name: string;
  readonly pointer: string;
}

function* compareObjects(
  oracle: JsonObject,
  target: JsonObject,
  { name, pointer }: MemberPlace,
  comparison: Comparison,
): Generator<Difference> {
  const isContext = comparison.isError && name === "context";
  for (const member of Object.keys(oracle)) {
    const at = `${pointer}/${escapeSegment(member)}`;
    if (isIgnored(member)) continue;
    if (!Object.hasOwn(target, member)) {
      yield differing("missing", { pointer: at });
      continue;
    }
    if (isContext || (member === "code" && comparison.isError && comparison.isLegacy)) continue;
    const pair = { oracle: oracle[member] ?? null, target: target[member] ?? null, name: member, pointer: at };
    yield* compare(pair, comparison);
  }
  // A node may add members to an error's context (contracts/error-codes.yaml).
  if (isContext) return;
  for (const member of Object.keys(target))
    if (!Object.hasOwn(oracle, member) && !isIgnored(member))
      yield differing("surplus", { pointer: `${pointer}/${escapeSegment(member)}` });
}

function* compareLists(
  oracle: readonly Json[],
  target: readonly Json[],
  { name, pointer }: MemberPlace,
  comparison: Comparison,
): Generator<Difference> {
  if (oracle.length !== target.length) {
    yield differing("length", { pointer });
    return;
  }
  const key = namelessKey(name);
  const [left, right] = [rowsSortedBy(oracle, key), rowsSortedBy(target, key)];
  for (const [place, row] of left.entries()) {
    const other = right[place] ?? row;
    const pair = { oracle: row.value, target: other.value, name, pointer: `${pointer}/${row.index}` };
    yield* compare(pair, comparison);
  }
}

type Texts = Pair & { readonly oracle: string; readonly target: string };

function* compareTexts(pair: Texts, comparison: Comparison): Generator<Difference> {
  const { oracle, target, name } = pair;
  const { correspondence } = comparison;
  if (prose.has(name)) return;
  if (opaque.has(name) && oracle !== "" && target !== "") {
    if (!correspondence.bind(oracle, target)) yield differing("identity", pair);
  } else if (isTimestamp(oracle) && isTimestamp(target) && !correspondence.isBound(oracle)) {
    const [oracleMs, targetMs] = [BigInt(Date.parse(oracle)), BigInt(Date.parse(target))];
    if (!correspondence.bindTime(oracleMs, targetMs)) yield differing("order", pair);
  } else yield* compareNames(pair, comparison);
}

/** Matches the names in two texts and compares the rest. */
function* compareNames(pair: Texts, { correspondence }: Comparison): Generator<Difference> {
  const { oracle, target } = pair;
  const [left, right] = [identifierParts(oracle), identifierParts(target)];
  const isAlike = ({ type, text }: (typeof left)[number], index: number) =>
    right[index]?.type === type && (type === "name" || right[index].text === text);
  if (left.length !== right.length || !left.every(isAlike)) {
    yield differing("value", pair);
    return;
  }
  for (const [index, part] of left.entries()) {
    const other = right[index];
    if (part.type === "text" || other?.type !== "name") continue;
    if (!correspondence.bind(keyOf(part), keyOf(other))) {
      yield differing("identity", pair);
      return;
    }
  }
}

function kindOf(value: Json): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "list";
  return typeof value === "bigint" ? "number" : typeof value;
}

function differing(aspect: Difference["aspect"], { pointer }: Pick<Pair, "pointer">): Difference {
  return { aspect, pointer };
}
