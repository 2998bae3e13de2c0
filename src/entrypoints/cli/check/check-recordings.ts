import { Checker, type CheckerOptions } from "../../../checker/engine/checker.ts";
import { ClientChecker } from "../../../checker/engine/client-checker.ts";
import type { Level } from "../../../checker/engine/exchange-verdict.ts";
import { Verdict } from "../../../checker/engine/verdict.ts";
import { RefusedOperations } from "../../../checker/reports/refused-operations.ts";
import type { Report, SizedRecording } from "../../../checker/reports/report.ts";
import { profileOfVersion } from "../../../foundation/spec/release-of-version.ts";
import { defaultProfileOf, loadSpec, type ProfileNames } from "../../../foundation/spec/spec.ts";
import type { SkippedEntry } from "../../../recordings/har/entry-cutter.ts";
import type { Recorded, RecordingItem } from "../../../recordings/har/read-recording.ts";
import type { Problem } from "../../../scenarios/files/problem.ts";
import {
  openRecording,
  recordingProblem,
  recordingProblemText,
  skippedProblem,
  skippedText,
} from "../files/recording.ts";
import { layoutOf, readPart } from "../files/recording-part.ts";
import { namedProfile, profileOf } from "../flags/profile-flags.ts";
import { booleanFlag, type Environment, type Flag, inGroup, type Options, rare, textFlag } from "../options.ts";
import { finish } from "../report/finish-report.ts";
import { requiredOf, withIncomplete, withRequired } from "../report/gate-flags.ts";
import { exitCodes, UserError } from "../user-error.ts";
import { recordedVersion } from "./recorded-version.ts";
import { secondOpinionOf } from "./second-opinion.ts";
import { partOfFile, type Shard, shardInReport, shardOf } from "./shard.ts";

/** Flags of a check of recordings. */
export const recordingFlags: readonly Flag[] = inGroup("Check", [
  booleanFlag("exclusive", "the recordings have the requests of all clients: warnings fail"),
  booleanFlag("client-rules", "check the requests against the client rules too"),
  rare(textFlag("shard", "I/N", "check part I of N of the recordings or probes; auto/N: the part of an Indexed Job")),
]);

/** Checks the exchanges of recordings; each file is a trace of its own. `command` repeats the check. */
export async function checkRecordings(
  level: Level,
  command: string,
  options: Options,
  environment: Environment,
): Promise<Report> {
  const { profile, reason } = await profileFor(options, environment);
  const shard = shardOf(options, environment);
  const spec = loadSpec(profile, { hasAdditionalOperations: true });
  const [areAdditionalOperationsChecked, isExclusive] = [options.flag("all-operations"), options.flag("exclusive")];
  if (options.flag("client-rules") && shard !== undefined)
    throw new UserError("--client-rules needs whole recordings, and --shard checks a part. Remove one of the two.");
  const clientRules = options.flag("client-rules")
    ? new ClientChecker({ spec, order: "by-time", isWhole: isExclusive, isOneWorld: false })
    : undefined;
  const opinion = await secondOpinionOf(options, spec);
  const refused = new RefusedOperations(spec);
  const settings: CheckerOptions = {
    spec,
    level,
    areAdditionalOperationsChecked,
    order: "by-time",
    isExclusive,
    onVerdict(exchange, exchangeVerdict) {
      refused.add(exchange, exchangeVerdict);
      opinion?.onVerdict(exchange, exchangeVerdict);
    },
  };
  const files = { settings, clientRules, shard, environment };
  const { verdict, problems, recordings } = await checkFiles(options.positionals, files);
  opinion?.print(options, environment);
  const summary = verdict.summary();
  const report: Report = {
    summary,
    isStrict: level === "spec",
    sources: options.positionals,
    profileReason: `${profile.ledger} (${reason})`,
    command,
    probing: undefined,
    baseline: undefined,
    ...(clientRules === undefined ? {} : { clientRules: clientRules.report() }),
    ...shardInReport(shard, recordings),
  };
  const required = shard === undefined ? requiredOf(options, spec, new Set(["ledger", "registry"])) : undefined;
  const checked = summary.exchanges - summary.unsupported;
  if (problems.length > 0) {
    if (checked > 0) finish({ ...report, incomplete: problems.map(({ text }) => text) }, options, environment);
    throw new UserError(
      problems.map(({ text }) => text).join("\n"),
      exitCodes.usage,
      problems.flatMap(({ of }) => of),
    );
  }
  if (checked === 0 && shard === undefined)
    throw new UserError(
      "Nothing to check: no exchange calls an operation of the spec. --all-operations checks the additional operations too.",
    );
  // A shard may lack the success of an operation.
  const isGated = required === undefined && shard === undefined;
  return isGated ? withIncomplete(report, refused.list()) : withRequired(report, required);
}

/** The release that is named, else that of the version in the recordings, else the default one. */
async function profileFor(
  options: Options,
  environment: Environment,
): Promise<{ readonly profile: ProfileNames; readonly reason: string }> {
  const named = namedProfile(options);
  if (named !== undefined) return { profile: profileOf(options, named), reason: "set by --profile" };
  const version = await recordedVersion(options.positionals, environment);
  const chosen =
    version === undefined ? { ledger: defaultProfileOf("ledger"), reason: "the default" } : profileOfVersion(version);
  return { profile: profileOf(options, chosen.ledger), reason: chosen.reason };
}

/** Number of exchanges between two updates of the progress. */
const progressEntries = 1000;

interface CheckOptions {
  readonly environment: Environment;
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
async function openFile(
  { file, index, onSize }: FileToCheck,
  { shard, environment }: CheckOptions,
): Promise<OpenedFile> {
  if (shard === undefined) return { items: openRecording(file, environment), isCut: false, isOwn: () => true };
  const { size, opening } = await layoutOf(file, environment);
  if (size !== undefined) onSize(size);
  const part = partOfFile(shard, index, size);
  if (part === undefined) return { items: [], isCut: false, isOwn: () => false };
  const { isOwn, isRead } = part;
  const items =
    opening === undefined
      ? openRecording(file, environment, isRead)
      : readPart(file, environment, { opening, part }, isRead);
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
  const { settings, clientRules, environment } = options;
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
      if (next % progressEntries === 0) environment.progress(`${file}: ${next} exchanges`);
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
