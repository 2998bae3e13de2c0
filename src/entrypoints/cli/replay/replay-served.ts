import { setTimeout as sleep } from "node:timers/promises";
import type { Handler } from "../../../foundation/http/handler.ts";
import type { Request } from "../../../foundation/http/request.ts";
import { textResponse } from "../../../foundation/http/response.ts";
import { withReason } from "../../../foundation/http/with-reason.ts";
import type { Json } from "../../../foundation/json/json.ts";
import { CountedLimits } from "../../../foundation/limits/counted-limits.ts";
import { createMask, type Mask, plainMask } from "../../../foundation/secrets/mask.ts";
import { looksLikeToken, secretsInHeaders } from "../../../foundation/secrets/secret-header.ts";
import { isSecretName, redactionMark } from "../../../foundation/secrets/secret-name.ts";
import { bodyBytesMaxOf, defaultProfileOf, loadSpec, type Spec } from "../../../foundation/spec/spec.ts";
import { printable } from "../../../foundation/text/printable.ts";
import { indexRecording } from "../../../recordings/replay/index-recording.ts";
import { type NearMiss, nearMissLines } from "../../../recordings/replay/nearest.ts";
import type { RecordingIndex } from "../../../recordings/replay/recording-index.ts";
import { RecordingChanged } from "../../../recordings/replay/recording-source.ts";
import type { Replayed, ReplaySummary } from "../../../recordings/replay/replay-events.ts";
import { Replayer } from "../../../recordings/replay/replayer.ts";
import { inferWorld } from "../../../scenarios/inference/infer-world.ts";
import { hostScenario } from "../../library/host-scenario.ts";
import { reachableUrl } from "../../library/own-address.ts";
import { steadyNowMs } from "../../library/steady-now-ms.ts";
import { inferredFrom } from "../../programs/files/inferred-from.ts";
import { namedFile } from "../../programs/files/named-file.ts";
import {
  exchangesOf,
  filesBeside,
  openRecording,
  recordingProblemText,
  skippedText,
} from "../../programs/files/recording.ts";
import { loadScenarioFile } from "../../programs/files/scenario-file.ts";
import { writeBigint } from "../../programs/files/write-bigint.ts";
import { oneOf } from "../../programs/one-of.ts";
import { exitCodes, UserError } from "../../programs/user-error.ts";
import { namedProfile, profileOf } from "../flags/profile-flags.ts";
import { isQuiet } from "../flags/quiet-flag.ts";
import { corsFlag, hostFlag, portFlag, readyFileFlag, tlsFlags } from "../flags/server-flags.ts";
import { choiceFlag, type Environment, type Flag, inGroup, type Options, textFlag } from "../options.ts";
import { hostOf, reachLines } from "../server/control-access.ts";
import { limitsFrom, serverLimitFlag, summarizeLimits } from "../server/limit-flags.ts";
import { listen } from "../server/listen.ts";
import { withinOpenFiles } from "../server/open-files.ts";
import { type ReadyFile, readyFileOf } from "../server/ready-file.ts";
import { changedError, openSeekable } from "./seekable-recording.ts";

const matchModes = ["loose", "strict"] as const;
const timingModes = ["none", "recorded"] as const;

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

/** Recorded exchanges between two progress lines, and the never requested exchanges that the summary lists. */
const progressEntries = 1000;
/** Number of exchanges without a request that the summary lists. */
const neverRequestedShown = 20;

/** Serves a recording until the user stops it. Returns exit code 1 if a request had no match, and 2 without a request. */
export async function replayServed(file: string, options: Options, environment: Environment): Promise<number> {
  const match = oneOf("--match", options.text("match") ?? "loose", matchModes);
  const timing = oneOf("--timing", options.text("timing") ?? "none", timingModes);
  const readyFile = readyFileOf(options);
  const spec = loadSpec(profileOf(options, defaultProfileOf("ledger")), { hasAdditionalOperations: true });
  const continued = await continuedBy(file, options, environment);
  const recording = await openSeekable(namedFile(file, options));
  try {
    const index = await indexOf(file, spec, environment);
    const secrets = new Set<string>();
    const replayer = new Replayer({
      name: file,
      index,
      read: recording.read,
      attached: filesBeside(namedFile(file, options)),
      spec,
      match,
      continueWith: continued?.handler,
      wait: timing === "recorded" ? sleep : undefined,
      onReplayed: (replayed) => printReplayed(replayed, createMask([...secrets]), options, environment),
    });
    const handler: Handler = (request) => {
      rememberSecrets(request, secrets);
      return replayer.handler(request);
    };
    const bodyBytesMax = bodyBytesMaxOf(continued?.release ?? spec.profile.ledger);
    const failure = await serveUntilStopped(handler, { file, index, readyFile, bodyBytesMax }, options, environment);
    if (failure !== undefined) throw failure;
    await summarize(replayer, options, environment);
    return exitCodeOf(replayer.summary, environment);
  } finally {
    await recording.close();
  }
}

/** A replay without a request shows nothing about the client. */
function exitCodeOf({ matched, repeated, continued, unmatched }: ReplaySummary, environment: Environment): number {
  if (unmatched > 0) return exitCodes.findings;
  if (matched + repeated + continued > 0) return exitCodes.fine;
  environment.printError(
    "No request was received. Start replay again, and send requests to its address instead of that of the target.",
  );
  return exitCodes.usage;
}

/** The stub that serves unmatched requests, and its release. */
async function continuedBy(
  file: string,
  options: Options,
  environment: Environment,
): Promise<{ readonly handler: Handler; readonly release: string } | undefined> {
  const scenario = options.text("continue-with");
  if (scenario === undefined) return undefined;
  const profile = namedProfile(options);
  const loaded =
    scenario === "stub"
      ? await inferredFrom(file, inferWorld(exchangesOf(file, environment), profile))
      : loadScenarioFile(scenario, options, { profile });
  const played = profileOf(options, loaded.profile);
  return {
    handler: hostScenario(loaded, { profile: played, wallNowMs: Date.now, steadyNowMs }).handler,
    release: played.ledger,
  };
}

/** The index of the readable entries before a problem in the file. Throws a UserError if there is no such entry. */
async function indexOf(file: string, spec: Spec, environment: Environment): Promise<RecordingIndex> {
  const { index, problem, firstSkipped, skipped } = await indexRecording(
    openRecording(file, environment),
    spec,
    (count) => {
      if (count % progressEntries === 0) environment.progress(`${file}: ${count} exchanges`);
    },
  );
  if (firstSkipped !== undefined) {
    const others = skipped === 1 ? "" : ` ${skipped - 1} more cannot be read.`;
    environment.printError(`${skippedText(file, firstSkipped)}${others} The other entries are served.`);
  }
  if (problem !== undefined && index.size === 0) throw new UserError(recordingProblemText(file, problem));
  if (problem !== undefined)
    environment.printError(`${recordingProblemText(file, problem)} The entries before it are served.`);
  if (index.size === 0)
    throw new UserError(`${file} has no exchange to replay. Record some requests first: understudy record`);
  return index;
}

interface ServedRecording {
  readonly file: string;
  readonly index: RecordingIndex;
  readonly readyFile: ReadyFile;
  /** The limit of the release, if it has its own. */
  readonly bodyBytesMax: number | undefined;
}

/** Serves until the user stops it. Returns the error if one ended it instead. */
async function serveUntilStopped(
  replay: Handler,
  { file, index, readyFile, bodyBytesMax }: ServedRecording,
  options: Options,
  environment: Environment,
): Promise<UserError | undefined> {
  const failed = Promise.withResolvers<UserError>();
  const handler: Handler = async (request) => {
    try {
      return await replay(request);
    } catch (error) {
      const failure = error instanceof RecordingChanged ? changedError(file) : error;
      if (!(failure instanceof UserError)) throw error;
      failed.resolve(failure);
      const response = textResponse(500, "text/plain; charset=UTF-8", `Understudy: ${failure.message}\n`);
      return withReason(response, failure.message);
    }
  };
  const limits = new CountedLimits(
    withinOpenFiles(limitsFrom(options, serverLimitFlag, bodyBytesMax), options, environment),
  );
  const server = await listen(options, environment, { handler }, limits);
  const url = reachableUrl(server.url);
  try {
    readyFile.write(url);
    announce(url, { file, index }, options, environment);
    return await Promise.race([failed.promise, environment.stopped().then(() => undefined)]);
  } finally {
    await server.close();
    readyFile.remove();
    summarizeLimits(limits.report(), options, environment);
  }
}

function announce(
  url: string,
  { file, index }: Pick<ServedRecording, "file" | "index">,
  options: Options,
  environment: Environment,
): void {
  const exchanges = `${index.size} ${index.size === 1 ? "exchange" : "exchanges"}`;
  if (options.flag("json"))
    environment.print(JSON.stringify({ event: "ready", url, recording: file, exchanges: index.size }));
  else if (!isQuiet(options))
    environment.print(`Understudy replays ${file} (${exchanges}) at ${url}. Stop with Ctrl-C.`);
  for (const line of reachLines(hostOf(options))) environment.printError(line);
}

/** Masks values by their names: in a difference, a value is apart from its name, so a text mask cannot recognize it. */
function withoutSecrets(miss: NearMiss): NearMiss {
  const masked = (pointer: string, value: Json | undefined) =>
    value !== undefined && isSecretName(pointer.split("/").at(-1) ?? "") ? redactionMark : value;
  const differences = miss.differences.map(({ recorded, requested, ...rest }) => ({
    ...rest,
    recorded: masked(rest.pointer, recorded),
    requested: masked(rest.pointer, requested),
  }));
  return { ...miss, differences };
}

/** Number of request secrets that the output masks; the oldest is dropped first. */
const secretsMax = 64;

function rememberSecrets({ headers }: Request, secrets: Set<string>): void {
  // A plain word, such as a user id, is not a secret.
  for (const { text } of secretsInHeaders(headers).filter((secret) => looksLikeToken(secret.text))) {
    secrets.delete(text);
    secrets.add(text);
  }
  for (const text of secrets) if (secrets.size > secretsMax) secrets.delete(text);
}

function printReplayed(replayed: Replayed, mask: Mask, options: Options, environment: Environment): void {
  const { outcome, method, target, status, number, reason } = replayed;
  if (isQuiet(options) && outcome !== "unmatched") return;
  const nearest = replayed.nearest.map(withoutSecrets);
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
