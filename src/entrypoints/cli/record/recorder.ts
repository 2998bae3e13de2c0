import { emptyBody } from "../../../foundation/http/body.ts";
import type { Exchange } from "../../../foundation/http/exchange.ts";
import { formatJson } from "../../../foundation/json/json.ts";
import { decodeBodies } from "../../../recordings/har/decode-bodies.ts";
import { entryBytesMax } from "../../../recordings/har/entry-cutter.ts";
import { type EntryDetails, harEntry } from "../../../recordings/har/har-entry.ts";
import { NamesExhausted } from "../../../recordings/redaction/pseudonyms.ts";
import type { Redactor } from "../../../recordings/redaction/redactor.ts";
import type { Passed } from "../../../transport/proxy/passed.ts";
import { leakText } from "../redaction/leak-message.ts";
import type { LiveChecker } from "./live-checker.ts";
import type { RecordingFile } from "./recording-file.ts";

/** How many exchanges went which way. */
export interface RecorderCounts {
  readonly recorded: number;
  /** Recorded without a body that was too long. */
  readonly cut: number;
  /** Not recorded, since something secret would have stood in them. */
  readonly withheld: number;
  /** Not recorded, since there were more names than are remembered. */
  readonly unnamed: number;
  /** Not recorded, since the disk was too slow for too long. */
  readonly dropped: number;
}

export interface RecorderOptions {
  /** What makes exchanges fit to be kept, and sees that they are. */
  readonly redactor: Pick<Redactor, "redact" | "redactText" | "leaksIn">;
  readonly file: Pick<RecordingFile, "append">;
  readonly checker: Pick<LiveChecker, "add">;
  /** Told the first time that something of an exchange is not recorded, and why. */
  readonly warn: (sentence: string) => void;
  readonly onRecorded: (exchange: Exchange) => void;
}

/** Takes what passed the proxy: decoded and redacted it goes to the file, and only then to the checker. */
export class Recorder {
  readonly #settings: RecorderOptions;
  readonly #pending = new Set<Promise<void>>();
  readonly #counts = { recorded: 0, cut: 0, withheld: 0, unnamed: 0, dropped: 0 };

  constructor(settings: RecorderOptions) {
    this.#settings = settings;
  }

  get counts(): RecorderCounts {
    return this.#counts;
  }

  /** Resolves when the exchange stands in the file, or when it is certain that it will not. */
  take(passed: Passed): Promise<void> {
    const taken = this.#take(passed).finally(() => this.#pending.delete(taken));
    this.#pending.add(taken);
    return taken;
  }

  /** Resolves when nothing is under way. */
  async idle(): Promise<void> {
    await Promise.allSettled(this.#pending);
  }

  async #take(passed: Passed): Promise<void> {
    const { redactor, file, checker } = this.#settings;
    const exchange = this.#redacted(await decodeBodies(passed.exchange));
    if (exchange === undefined) return;
    const { line, leftOut } = entryOf(exchange, { ...passed, reasonPhrase: redactor.redactText(passed.reasonPhrase) });
    const [leak] = redactor.leaksIn(line);
    if (leak === undefined) {
      const outcome = await file.append(line);
      if (outcome === "written") this.#noteRecorded(exchange, leftOut);
      if (outcome === "dropped") this.#note("dropped", exchange, "is not recorded: the disk is too slow");
    } else this.#note("withheld", exchange, `is not recorded: ${leakText(leak)} would stand in it`);
    checker.add(exchange);
  }

  /** Undefined where there are more names than are remembered: nothing of such an exchange may be shown. */
  #redacted(exchange: Exchange): Exchange | undefined {
    try {
      return this.#settings.redactor.redact(exchange);
    } catch (error) {
      if (!(error instanceof NamesExhausted)) throw error;
      this.#count("unnamed", `An exchange is not recorded, ${error.message}: begin another recording`);
      return undefined;
    }
  }

  #noteRecorded(exchange: Exchange, leftOut: string | undefined): void {
    this.#counts.recorded += 1;
    if (leftOut !== undefined) this.#note("cut", exchange, `is cut: ${leftOut}`);
    this.#settings.onRecorded(exchange);
  }

  #note(count: "cut" | "withheld" | "dropped", { request }: Exchange, what: string): void {
    const path = request.target.replace(/^https?:\/\/[^/?*]*/i, "").replace(/\?.*$/s, "");
    this.#count(count, `${request.method} ${path} ${what}`);
  }

  #count(count: Exclude<keyof RecorderCounts, "recorded">, first: string): void {
    this.#counts[count] += 1;
    if (this.#counts[count] === 1) this.#settings.warn(`${first}. Further ones are counted, and told at the end.`);
  }
}

/** The entry as a line, and why it is without a body that came. */
interface EntryLine {
  readonly line: string;
  readonly leftOut: string | undefined;
}

/** An entry that is too long to be read again goes without its bodies. */
function entryOf(exchange: Exchange, passed: Passed): EntryLine {
  const { reasonPhrase, timings, requestBytes, responseBytes } = passed;
  const details: EntryDetails = { reasonPhrase, timings, requestBytes, responseBytes };
  const line = formatJson(harEntry(exchange, details));
  if (line.length * 3 <= entryBytesMax || Buffer.byteLength(line) <= entryBytesMax)
    return { line, leftOut: passed.leftOut };
  const leftOut = passed.leftOut ?? "the bodies are left out: the entry would be too long to be read";
  return { line: formatJson(harEntry(withoutBodies(exchange, leftOut, responseBytes), details)), leftOut };
}

function withoutBodies({ request, response, ...times }: Exchange, reason: string, bodyLength: number): Exchange {
  const head = response.type === "response" ? response : (response.partial ?? { status: 0, headers: [] });
  const partial = { status: head.status, headers: head.headers, body: emptyBody, bodyLength };
  return {
    ...times,
    request: { ...request, body: emptyBody },
    response: { type: "broken", kind: "unexplained", reason, partial },
  };
}
