import type { EntryPlace } from "../har/read-recording.ts";
import { hashOf } from "./hash.ts";
import type { RequestShape } from "./request-shape.ts";

/**
 * An in-memory index of a recording: for each exchange its position in the file, and hashes of its request with and without
 * names. The lists hold numbers only, so an exchange takes about 150 bytes. It is identified by its index in the recording.
 */
export class RecordingIndex {
  readonly #bytes: number[] = [];
  readonly #lengths: number[] = [];
  readonly #parts: number[] = [];
  readonly #isInLog: boolean[] = [];
  readonly #numbers: number[] = [];
  readonly #digests: number[] = [];
  readonly #operations: number[] = [];
  readonly #tokens: number[] = [];
  readonly #startsMs: number[] = [];
  readonly #namesFrom: number[] = [0];
  readonly #names: number[] = [];
  #byDigest: Uint32Array = new Uint32Array();
  #byOperation: Uint32Array = new Uint32Array();

  get size(): number {
    return this.#bytes.length;
  }

  /** Adds an exchange. Call `seal` before the next lookup. */
  add(place: EntryPlace, number: number, shape: RequestShape, startedMs: number): void {
    this.#bytes.push(place.byte);
    this.#lengths.push(place.length);
    this.#parts.push(place.part);
    this.#isInLog.push(place.isInLog);
    this.#numbers.push(number);
    this.#digests.push(shape.digest);
    this.#operations.push(operationHash(shape));
    this.#tokens.push(shape.token);
    this.#startsMs.push(startedMs);
    for (const hash of shape.nameHashes) this.#names.push(hash);
    this.#namesFrom.push(this.#names.length);
  }

  /** Sorts the index for lookups; equal keys by start. */
  seal(): void {
    const places = new Uint32Array(this.size);
    for (const [place, entry] of this.byStart().entries()) places[entry] = place;
    this.#byDigest = this.#sortedBy(this.#digests, places);
    this.#byOperation = this.#sortedBy(this.#operations, places);
  }

  #sortedBy(keys: readonly number[], places: Uint32Array): Uint32Array {
    const entries = Uint32Array.from({ length: this.size }, (_, entry) => entry);
    return entries.sort(
      (left, right) =>
        (keys[left] ?? 0) - (keys[right] ?? 0) || (places[left] ?? 0) - (places[right] ?? 0) || left - right,
    );
  }

  /** The exchanges with equal requests apart from names, in recorded order. */
  alike({ digest }: RequestShape): Uint32Array {
    return range(this.#byDigest, this.#digests, digest);
  }

  /** The exchanges of the same operation, in recorded order. */
  ofOperation(shape: RequestShape): Uint32Array {
    return range(this.#byOperation, this.#operations, operationHash(shape));
  }

  /** One exchange of each operation, up to `most`. */
  ofEachOperation(most: number): readonly number[] {
    const found: number[] = [];
    for (let at = 0; at < this.size && found.length < most; ) {
      const entry = this.#byOperation[at] ?? 0;
      found.push(entry);
      at += range(this.#byOperation, this.#operations, this.#operations[entry] ?? 0).length;
    }
    return found;
  }

  /** All exchanges by start time; in file order if a start time is missing. */
  byStart(): Uint32Array {
    return this.#sortedBy(this.#startsMs.some(Number.isNaN) ? [] : this.#startsMs, new Uint32Array());
  }

  place(entry: number): EntryPlace {
    const [byte, length] = [this.#bytes[entry] ?? 0, this.#lengths[entry] ?? 0];
    return { byte, length, isInLog: this.#isInLog[entry] === true, part: this.#parts[entry] ?? 0 };
  }

  /** The number of an exchange in the file, from 1. */
  number(entry: number): number {
    return this.#numbers[entry] ?? 0;
  }

  digest(entry: number): number {
    return this.#digests[entry] ?? 0;
  }

  token(entry: number): number {
    return this.#tokens[entry] ?? 0;
  }

  /** The hash of the nth name of a request. */
  nameHash(entry: number, nth: number): number {
    return this.#names[(this.#namesFrom[entry] ?? 0) + nth] ?? 0;
  }

  nameHashes(entry: number): readonly number[] {
    return this.#names.slice(this.#namesFrom[entry] ?? 0, this.#namesFrom[entry + 1] ?? 0);
  }
}

/** A hash of the operation; unknown paths are distinguished by their number of segments. */
function operationHash({ operation, leaves }: RequestShape): number {
  const segments = leaves.filter((leaf) => leaf.in === "path").length;
  return hashOf(operation.endsWith(" path") ? `${operation} ${segments}` : operation);
}

/** The range of a sorted list with a key. */
function range(entries: Uint32Array, keys: readonly number[], key: number): Uint32Array {
  return entries.subarray(firstNotBelow(key, false), firstNotBelow(key, true));

  function firstNotBelow(wanted: number, isBehind: boolean): number {
    let [low, high] = [0, entries.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const found = keys[entries[middle] ?? 0] ?? 0;
      if (found < wanted || (isBehind && found === wanted)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
