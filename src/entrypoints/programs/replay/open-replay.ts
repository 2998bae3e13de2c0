import { setTimeout as sleep } from "node:timers/promises";
import type { Handler } from "../../../foundation/http/handler.ts";
import type { Request } from "../../../foundation/http/request.ts";
import { textResponse } from "../../../foundation/http/response.ts";
import { withReason } from "../../../foundation/http/with-reason.ts";
import type { Json } from "../../../foundation/json/json.ts";
import { createMask, type Mask } from "../../../foundation/secrets/mask.ts";
import { looksLikeToken, secretsInHeaders } from "../../../foundation/secrets/secret-header.ts";
import { isSecretName, redactionMark } from "../../../foundation/secrets/secret-name.ts";
import { bodyBytesMaxOf, defaultProfileOf, loadSpec, type Spec } from "../../../foundation/spec/spec.ts";
import { indexRecording } from "../../../recordings/replay/index-recording.ts";
import type { NearMiss } from "../../../recordings/replay/nearest.ts";
import type { RecordingIndex } from "../../../recordings/replay/recording-index.ts";
import { RecordingChanged } from "../../../recordings/replay/recording-source.ts";
import type { Replayed } from "../../../recordings/replay/replay-events.ts";
import { Replayer } from "../../../recordings/replay/replayer.ts";
import { inferWorld } from "../../../scenarios/inference/infer-world.ts";
import { hostScenario } from "../../library/host-scenario.ts";
import { steadyNowMs } from "../../library/steady-now-ms.ts";
import type { ProgramCaller } from "../caller.ts";
import { inferredFrom } from "../files/inferred-from.ts";
import { namedFile } from "../files/named-file.ts";
import { exchangesOf, filesBeside, openRecording, recordingProblemText, skippedText } from "../files/recording.ts";
import { loadScenarioFile } from "../files/scenario-file.ts";
import { releasesOf } from "../releases.ts";
import { UserError } from "../user-error.ts";
import type { RecordingOptions } from "./replay-options.ts";
import { changedError, openSeekable } from "./seekable-recording.ts";

/** A recording that responds to requests. */
export interface OpenReplay {
  readonly handler: Handler;
  readonly replayer: Replayer;
  /** Number of recorded exchanges. */
  readonly exchanges: number;
  /** The limit of the release, if it has its own. */
  readonly bodyBytesMax: number | undefined;
  /** Resolves to the error that ends the replay, such as a recording that has changed. */
  readonly failed: Promise<UserError>;
  close(): Promise<void>;
}

/** Recorded exchanges between two progress lines. */
const progressEntries = 1000;

/**
 * Opens a recording for replay. `onReplayed` receives the result of each request, and a mask of the tokens that requests had.
 * Throws a UserError for a recording without an exchange.
 */
export async function openReplay(
  file: string,
  options: RecordingOptions,
  caller: ProgramCaller,
  onReplayed: (replayed: Replayed, mask: Mask) => void,
): Promise<OpenReplay> {
  const spec = loadSpec(releasesOf(options, defaultProfileOf("ledger")), { hasAdditionalOperations: true });
  const continued = await continuedBy(file, options, caller);
  const recording = await openSeekable(namedFile(file, caller));
  try {
    const index = await indexOf(file, spec, caller);
    const secrets = new Set<string>();
    const replayer = new Replayer({
      name: file,
      index,
      read: recording.read,
      attached: filesBeside(namedFile(file, caller)),
      spec,
      match: options.match ?? "loose",
      continueWith: continued?.handler,
      wait: options.timing === "recorded" ? sleep : undefined,
      onReplayed: (replayed) =>
        onReplayed({ ...replayed, nearest: replayed.nearest.map(withoutSecrets) }, createMask([...secrets])),
    });
    const failed = Promise.withResolvers<UserError>();
    const handler: Handler = (request) => {
      rememberSecrets(request, secrets);
      return replayer.handler(request);
    };
    return {
      handler: withFailures(handler, file, failed.resolve),
      replayer,
      exchanges: index.size,
      bodyBytesMax: bodyBytesMaxOf(continued?.release ?? spec.profile.ledger),
      failed: failed.promise,
      close: () => recording.close(),
    };
  } catch (error) {
    await recording.close();
    throw error;
  }
}

/** The handler. A request whose recorded response cannot be read gets 500. */
function withFailures(handler: Handler, file: string, onFailure: (failure: UserError) => void): Handler {
  return async (request) => {
    try {
      return await handler(request);
    } catch (error) {
      const failure = error instanceof RecordingChanged ? changedError(file) : error;
      if (!(failure instanceof UserError)) throw error;
      onFailure(failure);
      const response = textResponse(500, "text/plain; charset=UTF-8", `Understudy: ${failure.message}\n`);
      return withReason(response, failure.message);
    }
  };
}

/** The stub that serves unmatched requests, and its release. */
async function continuedBy(
  file: string,
  options: RecordingOptions,
  caller: ProgramCaller,
): Promise<{ readonly handler: Handler; readonly release: string } | undefined> {
  const { continueWith, profile } = options;
  if (continueWith === undefined) return undefined;
  const scenario =
    continueWith === "stub"
      ? await inferredFrom(file, inferWorld(exchangesOf(file, caller), profile))
      : loadScenarioFile(continueWith, caller, { profile });
  const played = releasesOf(options, scenario.profile);
  return {
    handler: hostScenario(scenario, { profile: played, wallNowMs: Date.now, steadyNowMs }).handler,
    release: played.ledger,
  };
}

/** The index of the readable entries before a problem in the file. Throws a UserError if there is no such entry. */
async function indexOf(file: string, spec: Spec, caller: ProgramCaller): Promise<RecordingIndex> {
  const { index, problem, firstSkipped, skipped } = await indexRecording(openRecording(file, caller), spec, (count) => {
    if (count % progressEntries === 0) caller.progress(`${file}: ${count} exchanges`);
  });
  if (firstSkipped !== undefined) {
    const others = skipped === 1 ? "" : ` ${skipped - 1} more cannot be read.`;
    caller.printError(`${skippedText(file, firstSkipped)}${others} The other entries are served.`);
  }
  if (problem !== undefined && index.size === 0) throw new UserError(recordingProblemText(file, problem));
  if (problem !== undefined)
    caller.printError(`${recordingProblemText(file, problem)} The entries before it are served.`);
  if (index.size === 0)
    throw new UserError(`${file} has no exchange to replay. Record some requests first: understudy record`);
  return index;
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
