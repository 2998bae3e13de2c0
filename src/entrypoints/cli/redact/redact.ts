import type { Exchange } from "../../../foundation/http/exchange.ts";
import { formatJson, type JsonObject } from "../../../foundation/json/json.ts";
import { harEntry } from "../../../recordings/har/har-entry.ts";
import type { RecordingItem } from "../../../recordings/har/read-recording.ts";
import { closing, openingOf } from "../../../recordings/har/recording-frame.ts";
import type { Leak } from "../../../recordings/redaction/leaks.ts";
import { NamesExhausted } from "../../../recordings/redaction/pseudonyms.ts";
import { createRestorer, type Redactor } from "../../../recordings/redaction/redactor.ts";
import { type NamedFile, namedFile, standardInput } from "../../programs/files/named-file.ts";
import { openRecording, recordedOf } from "../../programs/files/recording.ts";
import { notFound } from "../../programs/files/unreadable.ts";
import { WholeFile } from "../../programs/files/whole-file.ts";
import { checkWritable, isExisting } from "../../programs/files/write-whole.ts";
import { stopRequestOf } from "../../programs/stop-request.ts";
import { exitCodes, UserError } from "../../programs/user-error.ts";
import { version } from "../../programs/version.ts";
import { fileOf } from "../flags/file-of.ts";
import { checkNew, forceFlag } from "../flags/force-flag.ts";
import { booleanFlag, type Command, type Environment, type Options, textFlag } from "../options.ts";
import { leakText } from "../redaction/leak-message.ts";
import { readNames } from "../redaction/names-file.ts";
import { redactionFlags, redactorOf, writeNames } from "../redaction/redaction-flags.ts";

export const redact: Command = {
  name: "redact",
  usage: "redact IN.har --out OUT.har [flags]\nredact IN.har --out OUT.har --restore --names FILE",
  flags: [
    textFlag("out", "FILE", "write the redacted recording to this file"),
    forceFlag,
    ...redactionFlags,
    booleanFlag("restore", "restore the original ids from --names; the output is private"),
  ],
  pairs: [{ flags: ["keep-ids", "rename-users", "secret"], without: "restore" }],
  examples: [
    "understudy redact traffic.har --out redacted.har",
    "understudy redact redacted.har --restore --names names.json --out private.har",
  ],
  run: runRedact,
};

async function runRedact(options: Options, environment: Environment): Promise<number> {
  const [input, ...others] = options.positionals;
  const [out, namesFile] = [fileOf("out", options), fileOf("names", options)];
  if (input === undefined) throw new UserError("redact needs a recording: understudy redact in.har --out out.har");
  if (others.length > 0) throw new UserError("redact takes one recording. Redact the others one by one.");
  if (out === undefined) throw new UserError(`redact needs an output file: understudy redact ${input} --out FILE`);
  const inputFile = namedFile(input, options);
  checkNew(out, namesFile === undefined ? [inputFile] : [inputFile, namesFile], options);
  if (namesFile !== undefined) checkWritable(namesFile, [inputFile]);
  if (options.flag("restore")) return restore(input, out, options, environment);
  const redactor = redactorOf(options, environment);
  const source = { input, stopped: environment.stopped() };
  using file = new WholeFile(out, { isReplacing: options.flag("force") });
  const result = await redactInto(file, source, redactor, environment);
  if (result.leaks.length > 0) {
    printLeaks(result.leaks, out.name, options, environment);
    return exitCodes.findings;
  }
  file.finish();
  if (namesFile !== undefined) writeNames(namesFile, redactor);
  const counts = Object.fromEntries([...redactor.counts].sort());
  if (options.flag("json"))
    environment.print(
      JSON.stringify({ event: "redacted", file: out.name, exchanges: result.exchanges, renamed: counts }),
    );
  else environment.print(summary(out.name, result.exchanges, counts));
  return exitCodes.fine;
}

/** Writes the recording with its original ids, but without secrets and signatures, to a private file. */
async function restore(input: string, out: NamedFile, options: Options, environment: Environment): Promise<number> {
  const namesFile = fileOf("names", options);
  if (namesFile === undefined) throw new UserError("--restore needs the names file of the redaction: --names FILE");
  if (!isExisting(namesFile)) throw notFound(namesFile);
  const names = readNames(namesFile);
  if (names.length === 0)
    throw new UserError(
      `--names ${namesFile.name}: the file contains no names. --restore needs the file that the redaction wrote.`,
    );
  const source = { input, stopped: environment.stopped() };
  using file = new WholeFile(out, { access: "private", isReplacing: options.flag("force") });
  const restored = createRestorer(names);
  const lineOf = (exchange: Exchange) => formatJson(harEntry(restored(exchange)));
  const exchanges = await writeEntries(file, source, lineOf, environment);
  file.finish();
  if (options.flag("json")) environment.print(JSON.stringify({ event: "restored", file: out.name, exchanges }));
  else
    environment.print(
      `${out.name}: ${counted(exchanges)}; the original ids are restored. The file is private: do not share it.`,
    );
  return exitCodes.fine;
}

/** The input, and a promise that resolves when the user interrupts. */
interface Source {
  readonly input: string;
  readonly stopped: Promise<void>;
}

interface FoundLeak extends Leak {
  readonly entry: number;
}

interface Result {
  readonly exchanges: number;
  readonly leaks: readonly FoundLeak[];
}

/** Number of leaks in the output. */
const leaksMax = 20;
/** Number of exchanges between two progress messages. */
const progressEntries = 1000;

async function redactInto(
  file: WholeFile,
  source: Source,
  redactor: Redactor,
  environment: Environment,
): Promise<Result> {
  const leaks: FoundLeak[] = [];
  const exchanges = await writeEntries(
    file,
    source,
    (exchange, entry) => {
      const redacted = redactedEntry(exchange, { redactor, input: source.input, entry });
      if (leaks.length < leaksMax) leaks.push(...redactor.leaksIn(redacted).map((leak) => ({ ...leak, entry })));
      return formatJson(redacted);
    },
    environment,
  );
  return { exchanges, leaks: leaks.slice(0, leaksMax) };
}

/** Writes one line for each exchange of the input. Returns the number of exchanges. */
async function writeEntries(
  file: WholeFile,
  source: Source,
  lineOf: (exchange: Exchange, entry: number) => string,
  environment: Environment,
): Promise<number> {
  let exchanges = 0;
  file.write(openingOf(version()));
  const { input } = source;
  for await (const item of untilStopped(source, environment)) {
    const { exchange, index } = recordedOf(item, input);
    file.write(`${exchanges === 0 ? "" : ","}\n${lineOf(exchange, index)}`);
    exchanges += 1;
    if (exchanges % progressEntries === 0) environment.progress(`${input}: ${exchanges} exchanges`);
  }
  if (exchanges === 0)
    throw new UserError(
      `${input} contains no exchange: nothing is written. Record some requests first: understudy record`,
    );
  file.write(`${closing}\n`);
  return exchanges;
}

/** The entries of a recording. Throws a UserError when the user interrupts. */
async function* untilStopped(
  { input, stopped }: Source,
  environment: Environment,
): AsyncGenerator<RecordingItem, void, undefined> {
  const stop = stopRequestOf({ stopped: () => stopped }, () => {
    // Otherwise the loop would wait for the rest of standard input.
    if (input === standardInput) environment.input.destroy();
  });
  const interrupted = () => new UserError("Interrupted: nothing is written.", exitCodes.interrupted);
  try {
    for await (const item of openRecording(input, environment)) {
      if (stop.isRequested) throw interrupted();
      yield item;
    }
  } catch (error) {
    throw stop.isRequested ? interrupted() : error;
  }
  if (stop.isRequested) throw interrupted();
}

function redactedEntry(
  exchange: Exchange,
  { redactor, input, entry }: { readonly redactor: Redactor; readonly input: string; readonly entry: number },
): JsonObject {
  try {
    return harEntry(redactor.redact(exchange));
  } catch (error) {
    if (!(error instanceof NamesExhausted)) throw error;
    throw new UserError(
      `${input}: entry ${entry} cannot be redacted: ${error.message}. Redact it in parts, or with --keep-ids.`,
    );
  }
}

function printLeaks(leaks: readonly FoundLeak[], out: string, options: Options, environment: Environment): void {
  if (options.flag("json")) {
    for (const { entry, kind, pointer, within } of leaks)
      environment.print(JSON.stringify({ event: "leak", entry, kind, pointer, within }));
    return;
  }
  for (const leak of leaks) environment.print(`entry ${leak.entry}, ${leak.pointer}: ${leakText(leak)} remains`);
  environment.print(`${out} is not written. Remove these secrets from the input, or list them with --secret.`);
}

function summary(out: string, exchanges: number, counts: Readonly<Record<string, number>>): string {
  const renamed = Object.entries(counts).map(([kind, count]) => `${count} ${kind}`);
  const result = renamed.length === 0 ? "nothing was renamed" : `renamed: ${renamed.join(", ")}`;
  return `${out}: ${counted(exchanges)}; ${result}`;
}

function counted(exchanges: number): string {
  return `${exchanges} ${exchanges === 1 ? "exchange" : "exchanges"}`;
}
