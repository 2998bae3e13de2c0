import { isComplete, type Report } from "../../../checker/reports/report.ts";
import { plainMask } from "../../../foundation/secrets/mask.ts";
import { defaultProfileOf } from "../../../foundation/spec/spec.ts";
import { checkRecordings, type RecordingCheck } from "../../programs/check/check-recordings.ts";
import { checkTarget } from "../../programs/check/check-target.ts";
import { shardInReport } from "../../programs/check/shard.ts";
import { namedFile } from "../../programs/files/named-file.ts";
import { exitCodes, UserError } from "../../programs/user-error.ts";
import {
  allOperationsFlag,
  profileFlag,
  registryProfileFlag,
  rulesOptionsOf,
  strictFlag,
} from "../flags/profile-flags.ts";
import {
  booleanFlag,
  type Command,
  configFlag,
  type Environment,
  type Flag,
  inGroup,
  type Options,
  rare,
  textFlag,
} from "../options.ts";
import { checkReportFlags, finish, reportFlags } from "../report/finish-report.ts";
import { gateFlags, wordsOf } from "../report/gate-flags.ts";
import { repeatCommand } from "../report/repeat-command.ts";
import { coverage } from "./coverage.ts";
import { isLive, liveFlags, liveWord, probeLines, targetCheckOf } from "./live-flags.ts";
import { merge } from "./merge.ts";
import { migrateFlag } from "./migration/migrate-flag.ts";
import { secondOpinionFlag, secondOpinionIn } from "./second-opinion-flag.ts";
import { shardFlag, shardOf } from "./shard-flag.ts";
import { targetFileOf, targetOf } from "./target-flags.ts";

/** Flags of a check of recordings. */
const recordingFlags: readonly Flag[] = inGroup("Check", [
  booleanFlag("exclusive", "the recordings have the requests of all clients: warnings fail"),
  booleanFlag("client-rules", "check the requests against the client rules too"),
  rare(textFlag("shard", "I/N", "check part I of N of the recordings or probes; auto/N: the part of an Indexed Job")),
]);

/** Flags of the report, the checker and the probes. */
const notOfMigrations: readonly string[] = [
  ...liveFlags.map(({ name }) => name).filter((name) => !["ledger", "registry", "target"].includes(name)),
  ...["report", "force", "baseline", "update-baseline", "exclusive", "client-rules", "strict", "all-operations"],
  ...["second-opinion", "shard", "registry-profile", "quiet", ...gateFlags.map(({ name }) => name)],
];

export const check: Command = {
  name: "check",
  usage: "check HAR… [flags]\ncheck [--ledger URL] [--registry URL] [flags]",
  flags: [
    profileFlag(`expected release, or auto (default): the one reported, else ${defaultProfileOf("ledger")}`),
    registryProfileFlag,
    strictFlag,
    allOperationsFlag,
    ...liveFlags,
    ...recordingFlags,
    migrateFlag,
    secondOpinionFlag,
    ...gateFlags,
    ...reportFlags,
    configFlag,
  ],
  pairs: [
    {
      flags: [
        "report",
        "force",
        "baseline",
        "update-baseline",
        "exclusive",
        "client-rules",
        "strict",
        "all-operations",
      ],
      without: "list-probes",
    },
    { flags: notOfMigrations, without: "migrate-to" },
  ],
  subcommands: [merge, coverage],
  examples: [
    "understudy check traffic.har --report verdict.html",
    "understudy check --ledger http://localhost:7575 --registry http://localhost:7575 --writes",
  ],
  run: runCheck,
};

async function runCheck(given: Options, environment: Environment): Promise<number> {
  const options = withUrlAsLedger(given);
  if (options.flag("list-probes")) {
    if (options.positionals.length > 0) throw new UserError("--list-probes takes no recordings. Remove them.");
    for (const line of probeLines(options, environment)) environment.print(line);
    return exitCodes.fine;
  }
  const migrateTo = options.text("migrate-to");
  if (migrateTo !== undefined) {
    if (isLive(options))
      throw new UserError(
        "--migrate-to applies to a recording, not to a live target: understudy check traffic.har --migrate-to RELEASE",
      );
    const { checkMigration } = await import("./migration/check-migration.ts");
    return checkMigration(migrateTo, options, environment);
  }
  const target = targetFileOf(options);
  const recordings = options.positionals.map((file) => namedFile(file, options));
  checkReportFlags(options, [...recordings, ...(target === undefined ? [] : [target])]);
  const { report, isInterrupted, error } = await checkedOf(options, environment);
  const exitCode = finish(report, options, environment);
  if (error !== undefined) throw error;
  if (isInterrupted) return exitCodes.interrupted;
  // Another shard may have checked what this one skipped; `check merge` decides.
  const isPart = report.probing !== undefined && report.shard !== undefined;
  return exitCode === exitCodes.fine && !isComplete(report) && !isPart ? exitCodes.incomplete : exitCode;
}

/** The options with the URL among the arguments as `--ledger`. */
function withUrlAsLedger(options: Options): Options {
  const url = options.positionals.find((word) => /^https?:\/\//i.test(word));
  if (url === undefined) return options;
  if (options.isWord("ledger"))
    throw new UserError(`${plainMask(url)} is a second ledger. Remove it; for a token registry, write --registry URL.`);
  const isLedger = (name: string) => name === "ledger";
  return {
    ...options,
    positionals: options.positionals.filter((word) => word !== url),
    text: (name) => (isLedger(name) ? url : options.text(name)),
    isSet: (name) => isLedger(name) || options.isSet(name),
    isWord: (name) => isLedger(name) || options.isWord(name),
  };
}

/** Checks the recordings or the target that the flags name, without a baseline. */
async function checkedOf(options: Options, environment: Environment): Promise<Checked> {
  const hasRecordings = options.positionals.length > 0;
  if (isLive(options) && hasRecordings)
    throw new UserError("check takes recordings or a live target, not both. Remove one of the two.");
  if (isLive(options)) {
    if (options.isWord("exclusive"))
      throw new UserError("--exclusive applies to recordings, not to a live target. Remove it.");
    if (options.isWord("client-rules"))
      throw new UserError("--client-rules applies to recordings, not to a live target. Remove it.");
    return checkLive(options, environment);
  }
  const word = liveWord(options);
  if (hasRecordings && word !== undefined)
    throw new UserError(
      `--${word} applies to a live target (--ledger URL, --registry URL), not to recordings. Remove --${word}.`,
    );
  if (!hasRecordings)
    throw new UserError(
      "check needs a recording or a target. Name HAR files, - for standard input, --ledger URL or --registry URL.",
    );
  const { shard, ...rest } = recordingCheckOf(options, environment);
  const { report, error } = await checkRecordings(options.positionals, { shard, ...rest }, environment);
  const command = repeatCommand(withoutFlags(liveFlags), options, plainMask, shardFlag(shard));
  return { report: { ...report, command }, error };
}

/** The options of a check of recordings that the flags set. */
function recordingCheckOf(options: Options, environment: Environment): RecordingCheck {
  const shard = shardOf(options, environment);
  if (options.flag("client-rules") && shard !== undefined)
    throw new UserError("--client-rules needs whole recordings, and --shard checks a part. Remove one of the two.");
  return {
    ...rulesOptionsOf(options),
    require: wordsOf("require", options),
    exclusive: options.flag("exclusive"),
    clientRules: options.flag("client-rules"),
    shard,
    onSecondOpinion: secondOpinionIn(options, environment),
  };
}

/** Flags that a check of a live target refuses on the command line; a config file can set them. */
const ofRecordings = recordingFlags.filter(({ name }) => name !== "shard");

/** The command without some flags. A config file sets flags of both kinds of check. */
function withoutFlags(others: readonly Flag[]): Pick<Command, "name" | "flags"> {
  return { name: check.name, flags: check.flags.filter((flag) => !others.includes(flag)) };
}

/** A report, whether the user interrupted the check, and the error of recordings that cannot be read completely. */
interface Checked {
  readonly report: Report;
  readonly isInterrupted?: boolean;
  readonly error?: UserError | undefined;
}

async function checkLive(options: Options, environment: Environment): Promise<Checked> {
  const { shard, ...rest } = targetCheckOf(options, environment);
  const target = targetOf(options, environment);
  const { report: found, isInterrupted, mask } = await checkTarget(target, { shard, ...rest }, environment);
  const { seed = "" } = found.probing ?? {};
  const command = repeatCommand(withoutFlags(ofRecordings), options, mask, { seed, ...shardFlag(shard) });
  const incomplete = isInterrupted ? { incomplete: ["It was interrupted before all probes had run."] } : {};
  return { report: { ...found, command, ...shardInReport(shard), ...incomplete }, isInterrupted };
}
