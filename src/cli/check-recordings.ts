import { ConductJudge } from "../conformance/conduct-judge.ts";
import { Judge, type JudgeSettings, type Level } from "../conformance/judge.ts";
import type { Report } from "../conformance/report.ts";
import { Verdict } from "../conformance/verdict.ts";
import { loadSpec, newestProfileOf } from "../spec/spec.ts";
import { ExaminingThreads, ThreadEnded } from "./examining-threads.ts";
import { finish } from "./finish-check.ts";
import { judgePlainFile } from "./judge-plain-file.ts";
import { keepHeapSmall, keepOldHeapSmall } from "./keep-heap-small.ts";
import { namedFile } from "./named-file.ts";
import type { Environment, Flag, Options } from "./options.ts";
import { explained, openRecording } from "./recording.ts";
import { namedProfile, profileOf } from "./serve.ts";
import { isInShard, type Shard, shardInReport, shardOf } from "./shard.ts";
import { threadsFor } from "./thread-count.ts";
import { UserError } from "./user-error.ts";

/** What only the judging of recordings asks for. */
export const recordingFlags: readonly Flag[] = [
  {
    name: "alone",
    type: "boolean",
    help: "nobody else used the target meanwhile: what another client could explain fails too",
  },
  { name: "conduct", type: "boolean", help: "judge how the client behaved too" },
  {
    name: "workers",
    type: "string",
    value: "N",
    help: "threads that judge large HAR files with an entry a line (default: one for each core, up to 4; 1 for less than 64 MB)",
  },
  {
    name: "shard",
    type: "string",
    value: "I/N",
    help: "judge part I of N of the recordings, or of the probes; understudy merge joins the reports",
  },
];

/** Judges the exchanges of recordings; each file is a trace of its own. */
export async function checkRecordings(level: Level, options: Options, environment: Environment): Promise<Report> {
  const profile = profileOf(options, newestProfileOf("ledger"));
  const shard = shardOf(options.text("shard"));
  const spec = loadSpec(profile, { hasNeighbours: true });
  const [areNeighboursJudged, isAlone] = [options.flag("neighbours"), options.flag("alone")];
  if (options.flag("conduct") && shard !== undefined)
    throw new UserError("--conduct needs recordings as a whole, and --shard judges a part: leave one of them out.");
  const conduct = options.flag("conduct")
    ? new ConductJudge({ spec, order: "by-time", isWhole: isAlone, isOneWorld: false })
    : undefined;
  const settings = { spec, level, areNeighboursJudged, order: "by-time", isAlone } as const;
  const files = options.positionals;
  const isWhole = shard === undefined && conduct === undefined;
  const threads = threadsFor(options.text("workers"), isWhole ? files.map((file) => namedFile(file, options)) : []);
  const judging = { settings, conduct, shard, environment };
  const { verdict, mistakes } = (await judgeInThreads(files, threads, judging)) ?? (await judgeInTurn(files, judging));
  const summary = verdict.summary();
  const isNamed = namedProfile(options) !== undefined;
  const report: Report = {
    summary,
    level,
    sources: options.positionals,
    profileReason: isNamed ? `${profile.ledger}, as told` : `${profile.ledger}, the newest release`,
    probing: undefined,
    baseline: undefined,
    ...(conduct === undefined ? {} : { conduct: conduct.report() }),
    ...shardInReport(shard),
  };
  const judged = summary.exchanges - summary.outside;
  if (mistakes.length > 0) {
    if (judged > 0) finish({ ...report, incomplete: mistakes }, options, environment);
    throw new UserError(mistakes.join("\n"));
  }
  if (judged === 0 && shard === undefined)
    throw new UserError("There is nothing to judge: no exchange is of an operation of the document.");
  return report;
}

/** Exchanges between two looks at the progress. */
const progressEntries = 1000;

interface Judging {
  readonly environment: Environment;
  readonly settings: JudgeSettings;
  /** Undefined where the client is not judged. */
  readonly conduct: ConductJudge | undefined;
  readonly shard: Shard | undefined;
}

interface JudgedFiles {
  readonly verdict: Verdict;
  /** What is wrong with the files. */
  readonly mistakes: readonly string[];
}

/** Several threads examine the exchanges; undefined where one has to, and then nothing is judged. */
async function judgeInThreads(
  files: readonly string[],
  count: number,
  { settings, environment }: Judging,
): Promise<JudgedFiles | undefined> {
  if (count < 2) return undefined;
  const { spec, level, areNeighboursJudged } = settings;
  keepOldHeapSmall(environment);
  const verdict = new Verdict(spec);
  await using threads = new ExaminingThreads(count, { profile: spec.profile, level, areNeighboursJudged });
  try {
    for (const file of files) {
      const progress = (entries: number) => environment.progress(`${file}: ${entries} exchanges`);
      const isJudged = await judgePlainFile(namedFile(file, environment).path, {
        settings,
        verdict,
        threads,
        progress,
      });
      if (!isJudged) return undefined;
    }
    return { verdict, mistakes: [] };
  } catch (error) {
    if (!(error instanceof ThreadEnded)) throw error;
    environment.printError(`${error.message}. One thread begins anew.`);
    return undefined;
  }
}

async function judgeInTurn(files: readonly string[], judging: Judging): Promise<JudgedFiles> {
  keepHeapSmall(judging.environment);
  const verdict = new Verdict(judging.settings.spec);
  const mistakes: string[] = [];
  for (const [index, file] of files.entries()) {
    const isWanted = (entry: number) => isInShard(judging.shard, index, entry);
    mistakes.push(...(await judgeFile(file, verdict, isWanted, judging)));
  }
  return { verdict, mistakes };
}

/** Gives the mistakes of the file; what stands before one is judged. */
async function judgeFile(
  file: string,
  verdict: Verdict,
  isWanted: (entry: number) => boolean,
  { settings, conduct, environment }: Judging,
): Promise<readonly string[]> {
  let judge = new Judge(settings, verdict);
  let next = 0;
  try {
    for await (const item of openRecording(file, environment, isWanted)) {
      if (item.type === "mistaken") return [explained(file, item)];
      if (item.index !== next) {
        judge.end();
        judge = new Judge(settings, verdict);
        verdict.addCut();
      }
      next = item.index + 1;
      judge.addRecorded(item.exchange);
      conduct?.add(item.exchange);
      if (next % progressEntries === 0) environment.progress(`${file}: ${next} exchanges`);
    }
    return [];
  } catch (error) {
    if (error instanceof UserError) return [error.message];
    throw error;
  } finally {
    judge.end();
    conduct?.cut();
  }
}
