import type { EntryPlace } from "../har/read-recording.ts";
import { hashOf } from "./hash.ts";
import type { RequestShape } from "./request-shape.ts";

/** Initial capacity in entries; it doubles when full. */
const entriesAtFirst = 1024;

/**
 * An in-memory index of a recording: for each exchange its position in the file, and hashes of its request with and without
 * names; about 100 bytes each. An exchange is identified by its index in the recording.
 */
export class RecordingIndex {
  #count = 0;
  #bytes = new Float64Array(entriesAtFirst);
  #lengths = new Uint32Array(entriesAtFirst);
  #parts = new Uint32Array(entriesAtFirst);
  #isInLog = new Uint8Array(entriesAtFirst);
  #numbers = new Uint32Array(entriesAtFirst);
  #digests = new Float64Array(entriesAtFirst);
  #operations = new Float64Array(entriesAtFirst);
  #tokens = new Float64Array(entriesAtFirst);
  #startsMs = new Float64Array(entriesAtFirst);
  #namesFrom = new Uint32Array(entriesAtFirst + 1);
  #names = new Float64Array(entriesAtFirst);
  #byDigest: Uint32Array = new Uint32Array();
  #byOperation: Uint32Array = new Uint32Array();

  get size(): number {
    return this.#count;
  }

  /** Adds an exchange. Call `seal` before the next lookup. */
  add(place: EntryPlace, number: number, shape: RequestShape, startedMs: number): void {
    const at = this.#count;
    if (at === this.#bytes.length) this.#grow();
    this.#bytes[at] = place.byte;
    this.#lengths[at] = place.length;
    this.#parts[at] = place.part;
    this.#isInLog[at] = place.isInLog ? 1 : 0;
    this.#numbers[at] = number;
    this.#digests[at] = shape.digest;
    this.#operations[at] = operationHash(shape);
    this.#tokens[at] = shape.token;
    this.#startsMs[at] = startedMs;
    this.#keepNames(at, shape.nameHashes);
    this.#count += 1;
  }

  #keepNames(at: number, hashes: readonly number[]): void {
    const from = this.#namesFrom[at] ?? 0;
    const end = from + hashes.length;
    if (end > this.#names.length) this.#names = floats(this.#names, Math.max(end, 2 * this.#names.length));
    this.#names.set(hashes, from);
    this.#namesFrom[at + 1] = end;
  }

  #grow(): void {
    const room = 2 * this.#bytes.length;
    this.#bytes = floats(this.#bytes, room);
    this.#lengths = integers(this.#lengths, room);
    this.#parts = integers(this.#parts, room);
    this.#numbers = integers(this.#numbers, room);
    this.#digests = floats(this.#digests, room);
    this.#operations = floats(this.#operations, room);
    this.#tokens = floats(this.#tokens, room);
    this.#startsMs = floats(this.#startsMs, room);
    this.#namesFrom = integers(this.#namesFrom, room + 1);
    const isInLog = new Uint8Array(room);
    isInLog.set(this.#isInLog);
    this.#isInLog = isInLog;
  }

  /** Sorts the index for lookups. */
  seal(): void {
    this.#byDigest = this.#sortedBy(this.#digests);
    this.#byOperation = this.#sortedBy(this.#operations);
  }

  #sortedBy(keys: Float64Array): Uint32Array {
    const entries = Uint32Array.from({ length: this.#count }, (_, entry) => entry);
    return entries.sort((left, right) => (keys[left] ?? 0) - (keys[right] ?? 0) || left - right);
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
    for (let at = 0; at < this.#count && found.length < most; ) {
      const entry = this.#byOperation[at] ?? 0;
      found.push(entry);
      at += range(this.#byOperation, this.#operations, this.#operations[entry] ?? 0).length;
    }
    return found;
  }

  /** All exchanges by start time; in file order if a start time is missing. */
  byStart(): Uint32Array {
    const isKnown = this.#startsMs.subarray(0, this.#count).every((startMs) => !Number.isNaN(startMs));
    return this.#sortedBy(isKnown ? this.#startsMs : new Float64Array());
  }

  place(entry: number): EntryPlace {
    const [byte, length] = [this.#bytes[entry] ?? 0, this.#lengths[entry] ?? 0];
    return { byte, length, isInLog: this.#isInLog[entry] === 1, part: this.#parts[entry] ?? 0 };
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

  nameHashes(entry: number): Float64Array {
    return this.#names.subarray(this.#namesFrom[entry] ?? 0, this.#namesFrom[entry + 1] ?? 0);
  }
}

/** A hash of the operation; unknown paths are distinguished by their number of segments. */
function operationHash({ operation, leaves }: RequestShape): number {
  const segments = leaves.filter((leaf) => leaf.in === "path").length;
  return hashOf(operation.endsWith(" path") ? `${operation} ${segments}` : operation);
}

/** The range of a sorted list with a key. */
function range(entries: Uint32Array, keys: Float64Array, key: number): Uint32Array {
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

function floats(old: Float64Array, room: number): Float64Array<ArrayBuffer> {
  const grown = new Float64Array(room);
  grown.set(old);
  return grown;
}

function integers(old: Uint32Array, room: number): Uint32Array<ArrayBuffer> {
  const grown = new Uint32Array(room);
  grown.set(old);
  return grown;
}
