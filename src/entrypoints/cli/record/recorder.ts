import type { Exchange } from "../../../foundation/http/exchange.ts";
import { formatJson, type JsonObject } from "../../../foundation/json/json.ts";
import { decodeBodies, withoutBodies } from "../../../recordings/har/decode-bodies.ts";
import { type EntryDetails, harEntry } from "../../../recordings/har/har-entry.ts";
import { recordingLimits } from "../../../recordings/har/recording-limits.ts";
import { NamesExhausted } from "../../../recordings/redaction/pseudonyms.ts";
import type { Redactor } from "../../../recordings/redaction/redactor.ts";
import type { ForwardedExchange } from "../../../transport/proxy/forwarded-exchange.ts";
import { leakText } from "../redaction/leak-message.ts";
import type { LiveChecker } from "./live-checker.ts";
import type { RecordingFile } from "./recording-file.ts";

/** Numbers of exchanges by outcome. */
export interface RecorderCounts {
  readonly recorded: number;
  /** Recorded without a body: it was too long. */
  readonly cut: number;
  /** Not recorded: a secret would remain in the entry. */
  readonly withheld: number;
  /** Not recorded: too many ids to pseudonymize. */
  readonly unnamed: number;
  /** Not recorded: the disk was too slow. */
  readonly dropped: number;
}

export interface RecorderOptions {
  /** Redacts exchanges and finds the secrets that remain. */
  readonly redactor: Pick<Redactor, "redact" | "redactText" | "leaksIn">;
  readonly file: Pick<RecordingFile, "append">;
  readonly checker: Pick<LiveChecker, "add">;
  /** Receives one warning for each kind of loss. */
  readonly warn: (sentence: string) => void;
  readonly onRecorded: (exchange: Exchange) => void;
}

/** Decodes and redacts the exchanges of the proxy, writes them to the file, then passes them to the checker. */
export class Recorder {
  readonly #options: RecorderOptions;
  readonly #pending = new Set<Promise<void>>();
  readonly #counts = { recorded: 0, cut: 0, withheld: 0, unnamed: 0, dropped: 0 };

  constructor(options: RecorderOptions) {
    this.#options = options;
  }

  get counts(): RecorderCounts {
    return this.#counts;
  }

  /** Resolves when the exchange is in the file, or when it is certain that it will not be. */
  take(passed: ForwardedExchange): Promise<void> {
    const done = this.#record(passed).finally(() => this.#pending.delete(done));
    this.#pending.add(done);
    return done;
  }

  /** Resolves when no exchange is in progress. */
  async idle(): Promise<void> {
    await Promise.allSettled(this.#pending);
  }

  async #record(passed: ForwardedExchange): Promise<void> {
    const { redactor, file, checker } = this.#options;
    const decoded = await decodeBodies(passed.exchange);
    const exchange = this.#redacted(decoded.exchange);
    if (exchange === undefined) return;
    const reasonPhrase = redactor.redactText(passed.reasonPhrase);
    const known = passed.omission ?? decoded.omission;
    const { entry, line, omission } = entryOf(exchange, { ...passed, reasonPhrase, omission: known });
    const [leak] = redactor.leaksIn(entry);
    if (leak === undefined) {
      const outcome = await file.append(line);
      if (outcome === "written") this.#countRecorded(exchange, omission);
      if (outcome === "dropped") this.#countLoss("dropped", exchange, "is not recorded: the disk is too slow");
    } else this.#countLoss("withheld", exchange, `is not recorded: ${leakText(leak)} would remain`);
    checker.add(exchange);
  }

  /** Undefined if there are too many ids to pseudonymize: no part of the exchange may be shown then. */
  #redacted(exchange: Exchange): Exchange | undefined {
    try {
      return this.#options.redactor.redact(exchange);
    } catch (error) {
      if (!(error instanceof NamesExhausted)) throw error;
      this.#count("unnamed", `An exchange is not recorded: ${error.message}. Start another recording`);
      return undefined;
    }
  }

  #countRecorded(exchange: Exchange, omission: string | undefined): void {
    this.#counts.recorded += 1;
    if (omission !== undefined) this.#countLoss("cut", exchange, `is incomplete: ${omission}`);
    this.#options.onRecorded(exchange);
  }

  #countLoss(count: "cut" | "withheld" | "dropped", { request }: Exchange, what: string): void {
    const path = request.target.replace(/^https?:\/\/[^/?*]*/i, "").replace(/\?.*$/s, "");
    this.#count(count, `${request.method} ${path} ${what}`);
  }

  #count(count: Exclude<keyof RecorderCounts, "recorded">, warning: string): void {
    this.#counts[count] += 1;
    if (this.#counts[count] === 1) this.#options.warn(`${warning}. The summary counts further ones.`);
  }
}

/** The entry, its line, and the reason why a body is omitted. */
interface EntryLine {
  readonly entry: JsonObject;
  readonly line: string;
  readonly omission: string | undefined;
}

/** The line of an exchange. An entry that would be too long to read again has no bodies. */
function entryOf(exchange: Exchange, passed: ForwardedExchange): EntryLine {
  const { reasonPhrase, timings, requestBytes, responseBytes } = passed;
  const details: EntryDetails = { reasonPhrase, timings, requestBytes, responseBytes };
  const entry = harEntry(exchange, details);
  const line = formatJson(entry);
  const { entryBytesMax } = recordingLimits;
  if (line.length * 3 <= entryBytesMax || Buffer.byteLength(line) <= entryBytesMax)
    return { entry, line, omission: passed.omission };
  const omission = passed.omission ?? "the bodies are omitted: the entry would be too long to read";
  const short = harEntry(withoutBodies(exchange, omission), details);
  return { entry: short, line: formatJson(short), omission };
}
