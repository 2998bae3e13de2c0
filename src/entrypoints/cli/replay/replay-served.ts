import { CountedLimits } from "../../../foundation/limits/counted-limits.ts";
import { type Mask, plainMask } from "../../../foundation/secrets/mask.ts";
import { printable } from "../../../foundation/text/printable.ts";
import { nearMissLines } from "../../../recordings/replay/nearest.ts";
import type { Replayed, ReplaySummary } from "../../../recordings/replay/replay-events.ts";
import type { Replayer } from "../../../recordings/replay/replayer.ts";
import { reachableUrl } from "../../library/own-address.ts";
import { writeBigint } from "../../programs/files/write-bigint.ts";
import { oneOf } from "../../programs/one-of.ts";
import { type OpenReplay, openReplay } from "../../programs/replay/open-replay.ts";
import { matchModes, type RecordingOptions, timingModes } from "../../programs/replay/replay-options.ts";
import { exitCodes, type UserError } from "../../programs/user-error.ts";
import { rulesOptionsOf } from "../flags/profile-flags.ts";
import { isQuiet } from "../flags/quiet-flag.ts";
import { corsFlag, hostFlag, portFlag, readyFileFlag, tlsFlags } from "../flags/server-flags.ts";
import { choiceFlag, type Environment, type Flag, inGroup, type Options, textFlag } from "../options.ts";
import { hostOf, reachLines } from "../server/control-access.ts";
import { limitsFrom, serverLimitFlag, summarizeLimits } from "../server/limit-flags.ts";
import { listen } from "../server/listen.ts";
import { withinOpenFiles } from "../server/open-files.ts";
import { type ReadyFile, readyFileOf } from "../server/ready-file.ts";

/** Flags for serving a recording. */
export const servedFlags: readonly Flag[] = [
  ...inGroup("Serve the recording", [
    choiceFlag(
      "match",
      "HOW",
      matchModes,
      "loose (default): any order, ids may differ; strict: recorded order, same ids",
    ),
    choiceFlag("timing", "HOW", timingModes, "none (default), or recorded: keep the recorded response times"),
    textFlag(
      "continue-with",
      "SCENARIO",
      "serve requests that are not recorded from a stub of this scenario, or with the value stub of the recorded world",
    ),
  ]),
  portFlag(7575),
  hostFlag,
  ...tlsFlags,
  readyFileFlag,
  corsFlag,
  serverLimitFlag,
];

/** Number of exchanges without a request that the summary lists. */
const neverRequestedShown = 20;

/** Serves a recording until the user stops it. Returns exit code 1 if a request had no match, and 2 without a request. */
export async function replayServed(file: string, options: Options, environment: Environment): Promise<number> {
  const settings = recordingOptionsOf(options);
  const readyFile = readyFileOf(options);
  const opened = await openReplay(file, settings, environment, (replayed, mask) =>
    printReplayed(replayed, mask, options, environment),
  );
  try {
    const failure = await serveUntilStopped(opened, { file, readyFile }, options, environment);
    if (failure !== undefined) throw failure;
    await summarize(opened.replayer, options, environment);
    return exitCodeOf(opened.replayer.summary, environment);
  } finally {
    await opened.close();
  }
}

function recordingOptionsOf(options: Options): RecordingOptions {
  return {
    ...rulesOptionsOf(options),
    match: oneOf("--match", options.text("match") ?? "loose", matchModes),
    timing: oneOf("--timing", options.text("timing") ?? "none", timingModes),
    continueWith: options.text("continue-with"),
  };
}

/** A replay without a request shows nothing about the client. */
function exitCodeOf({ matched, repeated, continued, unmatched }: ReplaySummary, environment: Environment): number {
  if (unmatched > 0) return exitCodes.findings;
  if (matched + repeated + continued > 0) return exitCodes.fine;
  environment.printError(
    "No request was received. Start replay again, and send requests to its address instead of that of the target.",
  );
  return exitCodes.incomplete;
}

/** Serves until the user stops it. Returns the error if one ended it instead. */
async function serveUntilStopped(
  { handler, exchanges, bodyBytesMax, failed }: OpenReplay,
  { file, readyFile }: { readonly file: string; readonly readyFile: ReadyFile },
  options: Options,
  environment: Environment,
): Promise<UserError | undefined> {
  const limits = new CountedLimits(
    withinOpenFiles(limitsFrom(options, serverLimitFlag, bodyBytesMax), options, environment),
  );
  const server = await listen(options, environment, { handler }, limits);
  const url = reachableUrl(server.url);
  try {
    readyFile.write(url);
    announce(url, { file, exchanges }, options, environment);
    return await Promise.race([failed, environment.stopped().then(() => undefined)]);
  } finally {
    await server.close();
    readyFile.remove();
    summarizeLimits(limits.report(), options, environment);
  }
}

function announce(
  url: string,
  { file, exchanges }: { readonly file: string; readonly exchanges: number },
  options: Options,
  environment: Environment,
): void {
  const counted = `${exchanges} ${exchanges === 1 ? "exchange" : "exchanges"}`;
  if (options.flag("json")) environment.print(JSON.stringify({ event: "ready", url, recording: file, exchanges }));
  else if (!isQuiet(options)) environment.print(`Understudy replays ${file} (${counted}) at ${url}. Stop with Ctrl-C.`);
  for (const line of reachLines(hostOf(options))) environment.printError(line);
}

function printReplayed(replayed: Replayed, mask: Mask, options: Options, environment: Environment): void {
  const { outcome, method, target, status, number, reason, nearest } = replayed;
  if (isQuiet(options) && outcome !== "unmatched") return;
  if (options.flag("json")) {
    const event = { event: "replayed", outcome, method, target, status, exchange: number, reason, nearest };
    environment.print(mask(JSON.stringify(event, writeBigint)));
    return;
  }
  const sources = {
    matched: `exchange ${number}`,
    repeated: `exchange ${number}, repeated`,
    continued: "the scenario",
  };
  const source = outcome === "unmatched" ? `unmatched: ${reason}` : sources[outcome];
  const lines = [
    `${status ?? "---"}  ${method} ${target}  ${source}`,
    ...(outcome === "unmatched" ? nearest.flatMap(nearMissLines).map((line) => `       ${line}`) : []),
  ];
  for (const line of lines) environment.print(printable(mask(line)));
}

async function summarize(replayer: Replayer, options: Options, environment: Environment): Promise<void> {
  const { summary } = replayer;
  if (isQuiet(options) && summary.unmatched === 0) return;
  const neverRequested = await replayer.neverRequested(neverRequestedShown);
  if (options.flag("json")) {
    environment.print(plainMask(JSON.stringify({ event: "summary", ...summary, neverRequestedFirst: neverRequested })));
    return;
  }
  environment.print(summaryLine(summary));
  for (const { number, method, target } of neverRequested)
    environment.print(printable(plainMask(`  ${number}  ${method} ${target}`)));
  const more = summary.neverRequested - neverRequested.length;
  if (more > 0) environment.print(`  and ${more} more`);
}

function summaryLine({ matched, repeated, continued, unmatched, neverRequested }: ReplaySummary): string {
  const parts = [`${matched} matched`, `${repeated} repeated`, `${unmatched} unmatched`];
  if (continued > 0) parts.push(`${continued} served by the scenario`);
  return `Requests: ${parts.join(", ")}.\nRecorded exchanges never requested: ${neverRequested}`;
}
