import type { Level } from "../../../checker/engine/checker.ts";
import { isComplete } from "../../../checker/reports/report.ts";
import { namedFile } from "../files/named-file.ts";
import type { Command, Environment, Options } from "../options.ts";
import { levelFlag, profileFlag, registryProfileFlag } from "../release-flags.ts";
import { exitCodes, UserError } from "../user-error.ts";
import { checkRecordings, recordingFlags } from "./check-recordings.ts";
import { checkTarget, isLive, liveFlags, liveWord, probeLines } from "./check-target.ts";
import { checkReportFlags, finish, reportFlags } from "./finish-check.ts";
import { shardInReport, shardOf } from "./shard.ts";

export const check: Command = {
  name: "check",
  usage: "check HAR… [flags], or check --ledger URL --registry URL [flags]",
  flags: [
    profileFlag("release to expect, or auto: a live target's (default: auto, for recordings the newest)"),
    registryProfileFlag,
    { name: "all-operations", type: "boolean", help: "judge the operations outside the spec too" },
    levelFlag,
    ...liveFlags,
    ...recordingFlags,
    ...reportFlags,
  ],
  run: runCheck,
};

async function runCheck(options: Options, environment: Environment): Promise<number> {
  if (options.flag("list-probes")) {
    if (options.positionals.length > 0) throw new UserError("--list-probes lists, and takes no recordings.");
    for (const line of probeLines(options)) environment.print(line);
    return exitCodes.fine;
  }
  const level = levelOf(options.text("level") ?? "release");
  const target = options.text("target");
  const inputs = target === undefined ? options.positionals : [target];
  checkReportFlags(
    options,
    inputs.map((file) => namedFile(file, options)),
  );
  const hasRecordings = options.positionals.length > 0;
  if (isLive(options) && hasRecordings) throw new UserError("check takes recordings or a live target, not both.");
  if (isLive(options)) {
    if (options.isWord("exclusive"))
      throw new UserError("--exclusive goes with recordings; a probe finds out by asking twice.");
    if (options.isWord("client-rules"))
      throw new UserError("--client-rules goes with recordings; of a live target the probes are the client.");
    return checkLive(level, options, environment);
  }
  const word = liveWord(options);
  if (hasRecordings && word !== undefined)
    throw new UserError(`--${word} goes with a live target (--ledger URL, --registry URL), and not with recordings.`);
  if (!hasRecordings)
    throw new UserError(
      "check needs at least one HAR file, or - for the standard input. Or name a live target: --ledger URL, --registry URL.",
    );
  return finish(await checkRecordings(level, options, environment), options, environment);
}

async function checkLive(level: Level, options: Options, environment: Environment): Promise<number> {
  const { report: found, isInterrupted } = await checkTarget(level, options, environment);
  const shard = shardOf(options.text("shard"));
  const incomplete = isInterrupted ? { incomplete: ["It was interrupted before all probes had run."] } : {};
  const report = { ...found, ...shardInReport(shard), ...incomplete };
  const exitCode = finish(report, options, environment);
  if (isInterrupted) return exitCodes.interrupted;
  // What a part leaves out another part may have checked; understudy merge says.
  return exitCode === exitCodes.fine && !isComplete(report) && shard === undefined ? exitCodes.usage : exitCode;
}

export function levelOf(text: string): Level {
  if (text === "spec" || text === "release") return text;
  throw new UserError(`--level ${text} is not known. Use document or release.`);
}
