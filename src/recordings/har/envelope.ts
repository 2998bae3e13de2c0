import {
  backslash,
  carriageReturn,
  closeBrace,
  closeBracket,
  colon,
  comma,
  lineFeed,
  openBrace,
  openBracket,
  quote,
  space,
  tab,
} from "./_bytes.ts";

/** Open brackets around an element of `log.entries`, and of a top-level list. */
const logEntriesDepth = 3;
const listDepth = 1;
/** Longer keys are irrelevant. */
const keyLengthMax = 100;
const byteOrderMark: readonly number[] = [0xef, 0xbb, 0xbf];
const startsOfOtherJson = /[\dtfn"-]/;

/** A byte-wise parser of the JSON around the entries: the members of a HAR in any order, the brackets of a list, or nothing. */
export class Envelope {
  #taken = 0;
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  /** The depth of the object whose keys lead to the entries: 1 at the top, 2 in `log`. */
  #keysAt = 1;
  #isKeyNext = false;
  #key = "";
  #isInEntries = false;
  #entriesDepth = logEntriesDepth;
  #hasLog = false;
  #hasEntries = false;

  /** Number of open brackets. */
  get depth(): number {
    return this.#depth;
  }

  /** Whether `log.entries`, or a list of entries, was found. */
  get hasEntries(): boolean {
    return this.#hasEntries;
  }

  /** Whether the current top-level value is a HAR. */
  get hasLog(): boolean {
    return this.#hasLog;
  }

  get isInEntries(): boolean {
    return this.#isInEntries;
  }

  /** Whether an object that starts here is an entry; at the top level it may turn out to be a HAR. */
  get isEntryNext(): boolean {
    return this.#depth === (this.#isInEntries ? this.#entriesDepth : 0) && !this.#isInString;
  }

  /** Takes the next byte outside entries. Returns a problem, or undefined. */
  take(byte: number): string | undefined {
    this.#taken += 1;
    if (this.#isInString) return this.#takeInString(byte);
    if (this.isEntryNext && byte !== openBrace && byte !== closeBracket) return this.#takeBetween(byte);
    if (byte === quote) {
      this.#isInString = true;
      this.#key = "";
    } else if (byte === openBrace || byte === openBracket) this.#enter(byte);
    else if (byte === closeBrace || byte === closeBracket) return this.#leave();
    else if (this.#depth === this.#keysAt && byte === comma) this.#isKeyNext = true;
    else if (this.#depth === this.#keysAt && byte === colon) this.#isKeyNext = false;
    return undefined;
  }

  #takeInString(byte: number): undefined {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === backslash) this.#isEscaped = true;
    else if (byte === quote) {
      this.#isInString = false;
      return;
    }
    if (this.#isKeyNext && this.#key.length < keyLengthMax) this.#key += String.fromCharCode(byte);
  }

  #takeBetween(byte: number): string | undefined {
    if (byte === space || byte === lineFeed || byte === carriageReturn || byte === tab) return undefined;
    if (this.#depth > 0) return byte === comma ? undefined : "an entry is not an object";
    if (byteOrderMark[this.#taken - 1] === byte) return undefined;
    if (byte === openBracket) return this.#enterList();
    // A file that a program reserved space for ends with zeros.
    if (this.#hasEntries) return byte === 0 ? undefined : "other text follows";
    return startsOfOtherJson.test(String.fromCharCode(byte)) ? "it has no log.entries" : "it is not JSON";
  }

  #enterList(): undefined {
    this.#hasLog = false;
    this.#beginEntries(listDepth);
    this.#depth += 1;
  }

  #beginEntries(depth: number): void {
    this.#isInEntries = true;
    this.#hasEntries = true;
    this.#entriesDepth = depth;
  }

  #enter(byte: number): void {
    const key = this.#depth === this.#keysAt && !this.#isKeyNext ? this.#key : "";
    if (this.#depth === 0) {
      this.#isKeyNext = true;
      this.#hasLog = false;
    } else if (this.#depth === 1 && byte === openBrace && key === "log") {
      this.#keysAt = 2;
      this.#isKeyNext = true;
      this.#hasLog = true;
    } else if (this.#depth === 2 && byte === openBracket && key === "entries") this.#beginEntries(logEntriesDepth);
    this.#depth += 1;
  }

  #leave(): string | undefined {
    if (this.#depth === 0) return "it is not JSON";
    this.#depth -= 1;
    this.#isInEntries = false;
    if (this.#depth < 2) this.#keysAt = 1;
    return this.#depth === 0 && this.#hasLog && !this.#hasEntries ? "it has no log.entries" : undefined;
  }
}
