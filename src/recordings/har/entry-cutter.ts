import { type ByteBudget, GrowingBytes } from "../../foundation/http/growing-bytes.ts";
import { isJsonObject, type Json, parseJson } from "../../foundation/json/json.ts";
import {
  backslash,
  carriageReturn,
  closeBrace,
  closeBracket,
  comma,
  lineFeed,
  openBrace,
  openBracket,
  quote,
  space,
  tab,
} from "./_bytes.ts";
import { Envelope } from "./envelope.ts";
import { hasTooManyValues, type RecordingLimits, recordingLimits } from "./recording-limits.ts";

/** An element of `log.entries` or of a top-level list, or a top-level value. */
export interface CutEntry {
  readonly type: "entry";
  readonly value: Json;
  readonly isInLog: boolean;
  /** Whether the entry is an element of a list. */
  readonly isListed: boolean;
  /** Number of entries before it, skipped ones included. */
  readonly index: number;
  readonly line: number;
  /** Start in the file and length, in bytes. */
  readonly byte: number;
  readonly length: number;
}

/** A problem in the file with its position. It ends the recording. */
export interface RecordingProblem {
  readonly type: "invalid";
  readonly problem: string;
  /** Number of entries before the problem. */
  readonly entries: number;
  readonly line: number;
  readonly byte: number;
}

/** An entry whose content exceeds a limit. The entries after it are read. */
export interface SkippedEntry {
  readonly type: "skipped";
  readonly problem: string;
  /** Number of entries before it, skipped ones included. */
  readonly index: number;
  readonly line: number;
  /** Start in the file and length, in bytes. */
  readonly byte: number;
  readonly length: number;
}

type Cut = CutEntry | SkippedEntry | RecordingProblem;

/** The size of an entry is limited as it is read. */
const unlimited: ByteBudget = { reserve: () => true, release: () => undefined };

interface Begun {
  readonly isListed: boolean;
  readonly isWanted: boolean;
  readonly line: number;
  readonly byte: number;
}

/** An incomplete entry. A top-level object may turn out to be a HAR. */
interface OpenEntry extends Begun {
  /** Its parts in earlier chunks, and their size in bytes. */
  readonly kept: GrowingBytes;
  bytes: number;
  /** Where it continues in the current chunk. */
  at: number;
}

/**
 * Splits the bytes of a recording into entries, independent of chunks: HAR 1.2 on any number of lines with its members
 * in any order, a list of entries, or values one after the other. An entry on its own line is found by the line end and passed to JSON.parse;
 * any other is found by counting brackets. Memory is bounded by the largest entry.
 */
export class EntryCutter {
  readonly #isWanted: (byte: number) => boolean;
  readonly #limits: RecordingLimits;
  readonly #decoder = new TextDecoder();
  readonly #envelope = new Envelope();
  #bytes: Buffer = Buffer.alloc(0);
  #at = 0;
  /** Number of bytes before the current chunk. */
  #before = 0;
  #line = 1;
  /** End of the current line in the current chunk; the chunk's length if the line continues. */
  #lineEnd = -1;
  /** The end of a line that starts like an entry but is not one. */
  #mixedLineEnd = -1;
  /** Whether entries are on lines of their own, so that unwanted ones can be skipped without parsing. */
  #hasLines = false;
  #open: OpenEntry | undefined;
  /** Open brackets in the current list entry, and whether the position is in a string or after a backslash. */
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  #count = 0;

  /**
   * `isWanted` is asked with the first byte of each entry; unwanted entries are skipped. `omittedBytes` is the number of bytes
   * that a part of a file lacks before its entries.
   */
  constructor(
    isWanted: (byte: number) => boolean = () => true,
    limits: RecordingLimits = recordingLimits,
    omittedBytes = 0,
  ) {
    this.#isWanted = isWanted;
    this.#limits = limits;
    this.#before = omittedBytes;
  }

  /** Number of entries so far. */
  get count(): number {
    return this.#count;
  }

  /** The entries that end in this chunk. The caller may reuse the chunk, and must not push after a problem. */
  *push(chunk: Uint8Array): Generator<Cut> {
    // A Buffer searches for a byte several times as fast as a Uint8Array.
    this.#bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
    this.#at = 0;
    this.#lineEnd = -1;
    this.#mixedLineEnd = -1;
    while (this.#at < chunk.length) {
      const cut = this.#next();
      if (cut === undefined) continue;
      yield cut;
      if (cut.type === "invalid") return;
    }
    if (this.#open !== undefined) {
      const tooLong = this.#keepPart(this.#open, chunk.length);
      if (tooLong !== undefined) yield tooLong;
    }
    this.#before += chunk.length;
  }

  /** The problem if the file ends here. */
  end(): RecordingProblem | undefined {
    this.#at = 0;
    if (this.#open !== undefined || this.#envelope.depth > 0) return this.#problem("it is truncated", this.#open);
    return this.#count === 0 && !this.#envelope.hasEntries ? this.#problem("it is empty") : undefined;
  }

  #next(): Cut | undefined {
    if (this.#open?.isListed === true) return this.#scan(this.#open);
    const byte = this.#bytes[this.#at] ?? space;
    if (byte === openBrace && this.#envelope.isEntryNext) {
      const begin = this.#at;
      const cut = this.#cutLine();
      return this.#at > begin ? cut : this.#begin();
    }
    if (byte === lineFeed) this.#line += 1;
    const problem = this.#envelope.take(byte);
    if (problem !== undefined) return this.#problem(problem);
    this.#at += 1;
    if (this.#envelope.hasLog) this.#open = undefined;
    return this.#open !== undefined && this.#envelope.depth === 0 ? this.#end(this.#open) : undefined;
  }

  /** Takes the current line if it is exactly one entry. */
  #cutLine(): Cut | undefined {
    if (this.#lineEnd <= this.#at) {
      const found = this.#bytes.indexOf(lineFeed, this.#at);
      this.#lineEnd = found < 0 ? this.#bytes.length : found;
    }
    const [at, lineEnd] = [this.#at, this.#lineEnd];
    if (lineEnd === this.#bytes.length || lineEnd === this.#mixedLineEnd) return undefined;
    const end = this.#endOfEntry(lineEnd);
    if (this.#bytes[end - 1] !== closeBrace) return undefined;
    if (end - at > this.#limits.entryBytesMax) return undefined;
    const isWanted = this.#isWanted(this.#before + at);
    const value = isWanted || !this.#hasLines ? this.#parse(this.#bytes.subarray(at, end)) : null;
    const isListed = this.#envelope.isInEntries;
    if (value === undefined || (!isListed && isJsonObject(value) && value["log"] !== undefined)) {
      this.#mixedLineEnd = lineEnd;
      return undefined;
    }
    this.#hasLines = true;
    this.#at = lineEnd;
    const begun = { isListed, isWanted, line: this.#line, byte: this.#before + at };
    return this.#counted(value, begun, end - at);
  }

  /** The end of the last entry on a line, without a trailing comma of the list. */
  #endOfEntry(lineEnd: number): number {
    let end = lineEnd;
    if (this.#bytes[end - 1] === carriageReturn) end -= 1;
    while (isBlank(this.#bytes[end - 1])) end -= 1;
    if (this.#bytes[end - 1] !== comma || !this.#envelope.isInEntries) return end;
    end -= 1;
    while (isBlank(this.#bytes[end - 1])) end -= 1;
    return end;
  }

  #begin(): undefined {
    const { isInEntries: isListed } = this.#envelope;
    const [line, byte, at] = [this.#line, this.#before + this.#at, this.#at];
    this.#open = {
      isListed,
      isWanted: this.#isWanted(byte),
      line,
      byte,
      kept: new GrowingBytes(unlimited, this.#limits.entryBytesMax),
      bytes: 0,
      at,
    };
    if (isListed) this.#depth = 0;
    else {
      this.#envelope.take(openBrace);
      this.#at += 1;
    }
  }

  /** Scans to the end of a list entry. */
  #scan(open: OpenEntry): Cut | undefined {
    const bytes = this.#bytes;
    let [at, depth, isInString, isEscaped, line] = [
      this.#at,
      this.#depth,
      this.#isInString,
      this.#isEscaped,
      this.#line,
    ];
    do {
      const byte = bytes[at];
      if (isEscaped) isEscaped = false;
      else if (isInString) {
        if (byte === backslash) isEscaped = true;
        else if (byte === quote) isInString = false;
      } else if (byte === quote) isInString = true;
      else if (byte === openBrace || byte === openBracket) depth += 1;
      else if (byte === closeBrace || byte === closeBracket) depth -= 1;
      else if (byte === lineFeed) line += 1;
      at += 1;
    } while (depth > 0 && at < bytes.length);
    [this.#at, this.#depth, this.#isInString, this.#isEscaped, this.#line] = [at, depth, isInString, isEscaped, line];
    return depth === 0 ? this.#end(open) : undefined;
  }

  #end(open: OpenEntry): Cut | undefined {
    const tooLong = this.#keepPart(open, this.#at);
    if (tooLong !== undefined) return tooLong;
    this.#open = undefined;
    if (!open.isWanted) return this.#counted(null, open, open.bytes);
    const text = this.#decoder.decode(open.kept.bytes);
    if (hasTooManyValues(text, this.#limits)) return this.#skipped(open);
    const value = this.#valueOf(text);
    if (value === undefined) return this.#problem("an entry is not JSON", open);
    return this.#counted(value, open, open.bytes);
  }

  /** Copies bytes, since the caller may reuse the chunk. Returns the problem of an entry that is too long. */
  #keepPart(open: OpenEntry, end: number): RecordingProblem | undefined {
    open.bytes += end - open.at;
    if (open.bytes > this.#limits.entryBytesMax) return this.#tooLong(open);
    if (open.isWanted || !open.isListed) open.kept.add(this.#bytes.subarray(open.at, end));
    open.at = 0;
    return undefined;
  }

  #tooLong(place: Pick<OpenEntry, "line" | "byte">): RecordingProblem {
    return this.#problem(`an entry exceeds the limit of ${this.#limits.entryBytesMax} bytes (entryBytesMax)`, place);
  }

  #skipped({ line, byte, bytes: length }: OpenEntry): SkippedEntry {
    const index = this.#count;
    this.#count += 1;
    const problem = `it exceeds the limit of ${this.#limits.recordedValuesMax} JSON values (recordedValuesMax)`;
    return { type: "skipped", problem, index, line, byte, length };
  }

  #counted(value: Json, { isListed, isWanted, line, byte }: Begun, length: number): CutEntry | undefined {
    const index = this.#count;
    this.#count += 1;
    const isInLog = isListed && this.#envelope.hasLog;
    return isWanted ? { type: "entry", value, isInLog, isListed, index, line, byte, length } : undefined;
  }

  /** The value of a line; undefined if it is not an entry within the limits. */
  #parse(bytes: Uint8Array): Json | undefined {
    const text = this.#decoder.decode(bytes);
    return hasTooManyValues(text, this.#limits) ? undefined : this.#valueOf(text);
  }

  #valueOf(text: string): Json | undefined {
    return entryValue(text, this.#envelope.isInEntries && this.#envelope.hasLog);
  }

  #problem(problem: string, place: Pick<OpenEntry, "line" | "byte"> | undefined = undefined): RecordingProblem {
    const { line, byte } = place ?? { line: this.#line, byte: this.#before + this.#at };
    return { type: "invalid", problem, entries: this.#count, line, byte };
  }
}

/**
 * The value of an entry's text; undefined if it is not JSON. A handwritten exchange has its bodies as JSON values, so its integers stay
 * exact and its depth is limited; in HAR bodies are texts.
 */
export function entryValue(text: string, isInLog: boolean): Json | undefined {
  try {
    return isInLog ? JSON.parse(text) : parseJson(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function isBlank(byte: number | undefined): boolean {
  return byte === space || byte === tab;
}
