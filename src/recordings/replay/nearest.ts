import { formatJson, type Json } from "../../foundation/json/json.ts";
import { partsOf } from "../../foundation/spec/name-parts.ts";
import { shortened } from "../../foundation/text/shortened.ts";
import { isRequestIdPseudonym } from "../redaction/pseudonym-reader.ts";
import { isShiftedOffset } from "../redaction/pseudonyms.ts";
import type { NamePairs } from "./name-pairs.ts";
import type { RecordingIndex } from "./recording-index.ts";
import type { RecordedAgain } from "./recording-source.ts";
import { type Leaf, nameMark, type RequestShape } from "./request-shape.ts";

/** A value that differs between two requests; undefined on a side without it. */
export interface ShapeDifference {
  readonly in: Leaf["in"] | "method";
  /** JSON pointer: to a parameter, a header, or into the body. */
  readonly pointer: string;
  readonly recorded: Json | undefined;
  readonly requested: Json | undefined;
  /** Why the two names cannot be paired. */
  readonly why?: string | undefined;
}

/** A recorded request similar to one without a match. */
export interface NearMiss {
  /** Its number in the recording, from 1. */
  readonly number: number;
  readonly method: string;
  readonly target: string;
  /** Whether a client requested it before. */
  readonly wasRequested: boolean;
  readonly differences: readonly ShapeDifference[];
}

/** Limits of exchanges of the same operation: those scored by the index, and those read from the file. */
const scannedMax = 100_000;
const readMax = 16;
/** Limit of operations with one exchange each that are read if the recording lacks the wanted operation. */
const operationsMax = 64;
const shownMax = 3;
/** Distance of a different method and of a different path, in differing values. */
const otherMethod = 4;
const otherPath = 8;

interface NearestSearch {
  readonly index: RecordingIndex;
  readonly names: NamePairs;
  isUsed(entry: number): boolean;
  read(entry: number): Promise<RecordedAgain>;
}

/**
 * The recorded requests that are nearest to one without a match. The distance is the number of values that differ; another
 * method counts as four of them, another operation as eight.
 */
export async function nearestTo(requested: RequestShape, search: NearestSearch): Promise<readonly NearMiss[]> {
  const { index, names, isUsed, read } = search;
  const same = index.ofOperation(requested);
  const entries =
    same.length > 0
      ? mostAlike(requested, same, search)
      : index.ofEachOperation(operationsMax).toSorted((left, right) => left - right);
  const misses: { readonly miss: NearMiss; readonly distance: number }[] = [];
  for (const entry of entries) {
    const { shape } = await read(entry);
    const differences = differencesOf(shape, requested, names);
    const number = index.number(entry);
    const { method, target } = shape;
    const shown = shape.operation === requested.operation ? differences : routeDifferences(shape, requested);
    const miss = { number, method, target, wasRequested: isUsed(entry), differences: shown };
    misses.push({ miss, distance: distanceOf(shape, requested, differences) });
  }
  // The sort is stable, so at equal distance those with more shared names come first.
  const sorted = misses.sort((left, right) => left.distance - right.distance);
  return sorted.slice(0, shownMax).map(({ miss }) => miss);
}

/** The exchanges that share the most names with the request, or have its shape. */
function mostAlike(
  requested: RequestShape,
  same: Uint32Array,
  { index, names, isUsed }: NearestSearch,
): readonly number[] {
  const wanted = new Set(requested.leaves.flatMap((leaf) => leaf.names).map((name) => names.recordedHash(name)));
  for (const hash of requested.nameHashes) wanted.add(hash);
  const scored = Array.from(same.subarray(0, scannedMax), (entry) => {
    const shared = index.nameHashes(entry).reduce((sum, hash) => sum + (wanted.has(hash) ? 1 : 0), 0);
    const isAlike = index.digest(entry) === requested.digest;
    return { entry, score: shared + (isAlike ? 2 : 0) + (isUsed(entry) ? 0 : 0.5) };
  });
  scored.sort((left, right) => right.score - left.score || left.entry - right.entry);
  return scored.slice(0, readMax).map(({ entry }) => entry);
}

/** The differences between requests of two operations: the method, the path or both. */
function routeDifferences(recorded: RequestShape, requested: RequestShape): readonly ShapeDifference[] {
  const parts = ["method", "path"] as const;
  const [left, right] = [recorded, requested].map(({ method, target }) => ({ method, path: target.split("?")[0] }));
  return parts
    .map((part) => ({ in: part, pointer: "", recorded: left?.[part], requested: right?.[part] }))
    .filter((difference) => difference.recorded !== difference.requested);
}

/** Differences between a recorded request and a client's, except names that can be paired. */
function differencesOf(recorded: RequestShape, requested: RequestShape, names: NamePairs): readonly ShapeDifference[] {
  const [left, right] = [byPlace(recorded), byPlace(requested)];
  const differences: ShapeDifference[] = [];
  if (recorded.method !== requested.method)
    differences.push({ in: "method", pointer: "", recorded: recorded.method, requested: requested.method });
  for (const [place, leaf] of left) {
    const other = right.get(place);
    const why = other === undefined ? undefined : clashIn(leaf, other, names);
    if (other?.literal === leaf.literal && why === undefined) continue;
    differences.push({ in: leaf.in, pointer: shownPointer(leaf), recorded: leaf.value, requested: other?.value, why });
  }
  for (const [place, leaf] of right)
    if (!left.has(place))
      differences.push({ in: leaf.in, pointer: shownPointer(leaf), recorded: undefined, requested: leaf.value });
  return differences;
}

function byPlace({ leaves }: RequestShape): ReadonlyMap<string, Leaf> {
  return new Map(leaves.map((leaf) => [`${leaf.in} ${leaf.pointer}`, leaf]));
}

function clashIn(recorded: Leaf, requested: Leaf, names: NamePairs): string | undefined {
  if (recorded.literal !== requested.literal) return undefined;
  const pairs = recorded.names.flatMap((name, at) => {
    const other = requested.names[at];
    return other === undefined ? [] : [[name, other] as const];
  });
  return names.clashes(pairs).find((clash) => clash !== undefined);
}

/** The pointer with `*` in place of names. */
function shownPointer({ pointer }: Leaf): string {
  return pointer
    .split(nameMark)
    .map((part, at) => (at % 2 === 0 ? part : "*"))
    .join("");
}

function distanceOf(recorded: RequestShape, requested: RequestShape, differences: readonly ShapeDifference[]): number {
  const method = recorded.method === requested.method ? 0 : otherMethod;
  return differences.length + method + (recorded.operation === requested.operation ? 0 : otherPath);
}

/** Whether the nearest request differs only in ids and offsets that redaction replaced. Ids of requests are new each time. */
export function isOnlyRedacted([nearest]: readonly NearMiss[], names: NamePairs): boolean {
  const differences = nearest?.differences ?? [];
  return differences.length > 0 && differences.every(({ recorded }) => isRedacted(recorded, names));
}

function isRedacted(value: Json | undefined, names: NamePairs): boolean {
  if (typeof value === "number") return Number.isSafeInteger(value) && isShiftedOffset(BigInt(value));
  if (typeof value !== "string" || isRequestIdPseudonym(value)) return false;
  return [...partsOf(value), { type: "name", space: "", text: value } as const].some(
    (part) => part.type === "name" && names.isPseudonym(part),
  );
}

const shownLength = 100;
const differencesShown = 5;

/** A near miss as lines of text. */
export function nearMissLines({ number, method, target, wasRequested, differences }: NearMiss): readonly string[] {
  const more = differences.length - differencesShown;
  return [
    `${number}  ${method} ${shortened(target, shownLength)}${wasRequested ? " (already served)" : ""}`,
    ...differences.slice(0, differencesShown).map((difference) => `  ${differenceLine(difference)}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ];
}

/** A difference as a line of text. */
export function differenceLine({ in: place, pointer, recorded, requested, why }: ShapeDifference): string {
  const at = pointer === "" ? place : `${place} ${pointer}`;
  const reason = why === undefined ? "" : ` (${why})`;
  return `${at}: recorded ${shownValue(recorded)}, requested ${shownValue(requested)}${reason}`;
}

function shownValue(value: Json | undefined): string {
  return value === undefined ? "nothing" : shortened(formatJson(value), shownLength);
}
