import { Judge, type JudgeSettings, type Level } from "../../../checker/engine/checker.ts";
import { ConductJudge } from "../../../checker/engine/client-checker.ts";
import { Verdict } from "../../../checker/engine/verdict.ts";
import type { Report } from "../../../checker/reports/report.ts";
import { loadSpec, newestProfileOf } from "../../../foundation/spec/spec.ts";
import { keepHeapSmall } from "../files/keep-heap-small.ts";
import { explained, openRecording } from "../files/recording.ts";
import type { Environment, Flag, Options } from "../options.ts";
import { namedProfile, profileOf } from "../serve/serve.ts";
import { UserError } from "../user-error.ts";
import { finish } from "./finish-check.ts";
import { isInShard, type Shard, shardInReport, shardOf } from "./shard.ts";

/** What only the judging of recordings asks for. */
export const recordingFlags: readonly Flag[] = [
  {
    name: "alone",
    type: "boolean",
    help: "nobody else used the target meanwhile: what another client could explain fails too",
  },
  { name: "conduct", type: "boolean", help: "judge how the client behaved too" },
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
  const { verdict, mistakes } = await judgeFiles(options.positionals, { settings, conduct, shard, environment });
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

async function judgeFiles(files: readonly string[], judging: Judging): Promise<JudgedFiles> {
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
