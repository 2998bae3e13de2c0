import { Checker, type CheckerOptions } from "../../../checker/engine/checker.ts";
import { ClientChecker } from "../../../checker/engine/client-checker.ts";
import { Verdict } from "../../../checker/engine/verdict.ts";
import { RefusedOperations } from "../../../checker/reports/refused-operations.ts";
import type { Report, SizedRecording } from "../../../checker/reports/report.ts";
import { profileOfVersion } from "../../../foundation/spec/release-of-version.ts";
import { defaultProfileOf, loadSpec, type ProfileNames } from "../../../foundation/spec/spec.ts";
import type { SkippedEntry } from "../../../recordings/har/entry-cutter.ts";
import { inOrder } from "../../../recordings/har/in-order.ts";
import type { Recorded, RecordingItem } from "../../../recordings/har/read-recording.ts";
import type { Problem } from "../../../scenarios/files/problem.ts";
import type { Given, ProgramCaller } from "../caller.ts";
import {
  openRecording,
  recordingProblem,
  recordingProblemText,
  skippedProblem,
  skippedText,
} from "../files/recording.ts";
import { layoutOf, readPart } from "../files/recording-part.ts";
import { type GivenRules, levelOf, releasesOf } from "../releases.ts";
import { exitCodes, UserError } from "../user-error.ts";
import type { RecordingCheckOptions } from "./check-options.ts";
import { OtherEntries } from "./other-entries.ts";
import { recordedVersion } from "./recorded-version.ts";
import { requiredOf, withIncomplete, withRequired } from "./required.ts";
import { createSecondOpinion, type SecondOpinion } from "./second-opinion.ts";
import { partOfFile, type Shard, shardInReport } from "./shard.ts";

/** Options of a check of recordings. */
export interface RecordingCheck extends Given<Pick<RecordingCheckOptions, "exclusive" | "clientRules">>, GivenRules {
  readonly require?: readonly string[] | undefined;
  readonly shard?: Shard | undefined;
  /** Receives what only Prism or the checker found. */
  readonly onSecondOpinion?: ((opinion: SecondOpinion) => void) | undefined;
}

/** A report, and the error for recordings that cannot be read completely. */
interface RecordingResult {
  readonly report: Report;
  readonly error: UserError | undefined;
}

/** Checks the exchanges of recordings; each file is a trace of its own. Throws a UserError if there is nothing to check. */
export async function checkRecordings(
  sources: readonly string[],
  options: RecordingCheck,
  caller: ProgramCaller,
): Promise<RecordingResult> {
  const { shard, onSecondOpinion } = options;
  const { profile, reason } = await profileFor(sources, options, caller);
  const level = levelOf(options);
  const spec = loadSpec(profile, { hasAdditionalOperations: true });
  const [areAdditionalOperationsChecked, isExclusive] = [options.allOperations === true, options.exclusive === true];
  const clientRules =
    options.clientRules === true
      ? new ClientChecker({ spec, order: "by-time", isWhole: isExclusive, isOneWorld: false })
      : undefined;
  const opinion = onSecondOpinion === undefined ? undefined : await createSecondOpinion(spec, caller);
  const refused = new RefusedOperations(spec);
  const others = new OtherEntries();
  const settings: CheckerOptions = {
    spec,
    level,
    areAdditionalOperationsChecked,
    order: "by-time",
    isExclusive,
    onVerdict(exchange, exchangeVerdict) {
      refused.add(exchange, exchangeVerdict);
      if (exchangeVerdict.type === "unsupported") others.add(exchange);
      opinion?.onVerdict(exchange, exchangeVerdict);
    },
  };
  const { verdict, problems, recordings } = await checkFiles(sources, { settings, clientRules, shard, caller });
  if (opinion !== undefined) onSecondOpinion?.(opinion);
  const notChecked = others.sentence();
  if (notChecked !== undefined) caller.printError(notChecked);
  const summary = verdict.summary();
  const report: Report = {
    summary,
    isStrict: level === "spec",
    sources,
    profileReason: `${profile.ledger} (${reason})`,
    probing: undefined,
    baseline: undefined,
    ...(clientRules === undefined ? {} : { clientRules: clientRules.report() }),
    ...shardInReport(shard, recordings),
  };
  const required = shard === undefined ? requiredOf(options, spec, new Set(["ledger", "registry"]), caller) : undefined;
  const isEmpty = summary.exchanges === summary.unsupported;
  if (problems.length > 0) {
    const texts = problems.map(({ text }) => text);
    const error = new UserError(
      texts.join("\n"),
      exitCodes.usage,
      problems.flatMap(({ of }) => of),
    );
    if (isEmpty) throw error;
    return { report: { ...report, incomplete: texts }, error };
  }
  if (isEmpty && shard === undefined)
    throw new UserError(
      `Nothing to check: no exchange calls an operation of the spec. ${caller.nameOf("allOperations")} checks the additional operations too.`,
      exitCodes.incomplete,
    );
  // A shard may lack the success of an operation.
  const isGated = required === undefined && shard === undefined;
  const judged = isGated ? withIncomplete(report, refused.list()) : withRequired(report, required);
  return { report: judged, error: undefined };
}

/** The release that is named, else that of the version in the recordings, else the default one. */
async function profileFor(
  sources: readonly string[],
  options: RecordingCheck,
  caller: ProgramCaller,
): Promise<{ readonly profile: ProfileNames; readonly reason: string }> {
  const { profile: named } = options;
  if (named !== undefined) return { profile: releasesOf(options, named), reason: `set by ${caller.nameOf("profile")}` };
  const version = await recordedVersion(sources, caller);
  const chosen =
    version === undefined ? { ledger: defaultProfileOf("ledger"), reason: "the default" } : profileOfVersion(version);
  return { profile: releasesOf(options, chosen.ledger), reason: chosen.reason };
}

/** Number of exchanges between two updates of the progress. */
const progressEntries = 1000;

interface CheckOptions {
  readonly caller: ProgramCaller;
  readonly settings: CheckerOptions;
  /** Undefined if the client rules are not checked. */
  readonly clientRules: ClientChecker | undefined;
  readonly shard: Shard | undefined;
}

/** A file with its position in the list of files. */
interface FileToCheck {
  readonly file: string;
  readonly index: number;
  /** Called with the size that divides the file among shards. */
  onSize(bytes: number): void;
}

interface CheckedFiles {
  readonly verdict: Verdict;
  readonly problems: readonly FileProblem[];
  /** The recordings whose size divides them among shards; empty without a shard. */
  readonly recordings: readonly SizedRecording[];
}

/** A message, and the problems of files that it is about. */
interface FileProblem {
  readonly text: string;
  readonly of: readonly Problem[];
}

async function checkFiles(files: readonly string[], options: CheckOptions): Promise<CheckedFiles> {
  const verdict = new Verdict(options.settings.spec);
  const problems: FileProblem[] = [];
  const recordings: SizedRecording[] = [];
  for (const [index, file] of files.entries()) {
    const onSize = (bytes: number) => recordings.push({ file, bytes });
    problems.push(...(await checkFile({ file, index, onSize }, verdict, options)));
  }
  return { verdict, problems, recordings };
}

/** The first byte of the entry that has the item. All exchanges of a Postman collection are in one entry. */
function byteOf(item: Recorded | SkippedEntry): number {
  return item.type === "exchange" ? item.place.byte : item.byte;
}

/** The items of a file that a shard reads. */
interface OpenedFile {
  readonly items: AsyncIterable<RecordingItem> | readonly RecordingItem[];
  /** Whether other entries may come before them. */
  readonly isCut: boolean;
  /** Whether the shard checks the entry that begins at a byte. */
  isOwn(byte: number): boolean;
}

/** Opens what a shard has of a file: all of it without a shard. */
async function openFile({ file, index, onSize }: FileToCheck, { shard, caller }: CheckOptions): Promise<OpenedFile> {
  if (shard === undefined) return { items: inOrder(openRecording(file, caller)), isCut: false, isOwn: () => true };
  const { size, opening } = await layoutOf(file, caller);
  if (size !== undefined) onSize(size);
  const part = partOfFile(shard, index, size);
  if (part === undefined) return { items: [], isCut: false, isOwn: () => false };
  const { isOwn, isRead } = part;
  const items =
    opening === undefined ? openRecording(file, caller, isRead) : readPart(file, caller, { opening, part }, isRead);
  return { items, isCut: part.from > 0, isOwn };
}

function noExchange(file: string): string {
  return `Nothing to check: ${file} contains no exchange. Record some requests first: understudy record`;
}

/** Number of skipped entries of a file that the output lists. */
const skippedShown = 10;

/** Checks the entries of a file up to a problem that ends it. Resolves to the problems. */
async function checkFile(
  toCheck: FileToCheck,
  verdict: Verdict,
  options: CheckOptions,
): Promise<readonly FileProblem[]> {
  const { settings, clientRules, caller } = options;
  const { file } = toCheck;
  let checker = new Checker(settings, verdict);
  let [next, skipped] = [0, 0];
  const problems: FileProblem[] = [];
  try {
    const { items, isCut: isPart, isOwn: isOwnAt } = await openFile(toCheck, options);
    let isCut = isPart;
    for await (const item of items) {
      if (item.type === "invalid")
        return [...problems, { text: recordingProblemText(file, item), of: [recordingProblem(file, item)] }];
      const isOwn = isOwnAt(byteOf(item));
      if (item.type === "skipped") {
        if (!isOwn) continue;
        skipped += 1;
        if (skipped <= skippedShown) problems.push({ text: skippedText(file, item), of: [skippedProblem(file, item)] });
        continue;
      }
      if (item.index !== next) {
        checker.end();
        checker = new Checker(settings, verdict);
        isCut = true;
      }
      next = item.index + 1;
      if (!isOwn) {
        checker.learn(item.exchange);
        continue;
      }
      if (isCut) verdict.addCut();
      isCut = false;
      checker.add(item.exchange);
      clientRules?.add(item.exchange);
      if (next % progressEntries === 0) caller.progress(`${file}: ${next} exchanges`);
    }
    if (skipped > skippedShown)
      problems.push({
        text: `${file}: ${skipped} entries cannot be read; the first ${skippedShown} are listed.`,
        of: [],
      });
    if (next + skipped === 0 && options.shard === undefined) problems.push({ text: noExchange(file), of: [] });
    return problems;
  } catch (error) {
    if (error instanceof UserError) return [...problems, { text: error.message, of: error.problems }];
    throw error;
  } finally {
    checker.end();
    clientRules?.cut();
  }
}
