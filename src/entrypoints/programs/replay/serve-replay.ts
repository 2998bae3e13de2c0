import { CountedLimits } from "../../../foundation/limits/counted-limits.ts";
import { limitValues } from "../../../foundation/limits/limits.ts";
import { nearMissLines } from "../../../recordings/replay/nearest.ts";
import { type RunningServer, startServer } from "../../../transport/server/http-server.ts";
import { refuseForeignOrigins } from "../../../transport/server/own-origins.ts";
import { reachableUrl } from "../../library/own-address.ts";
import { errorForLibrary } from "../call-program.ts";
import type { ProgramCaller } from "../caller.ts";
import { listening } from "../listening.ts";
import { type OpenReplay, openReplay } from "./open-replay.ts";
import type { Replay, ReplayOptions, UnmatchedRequest } from "./replay-options.ts";

/** Unmatched requests that are kept. */
const unmatchedMax = 1000;

/** Serves a recording for a program that uses the library. */
export async function serveReplay(
  options: ReplayOptions,
  caller: ProgramCaller,
  notes: readonly string[],
): Promise<Replay> {
  const unmatched: UnmatchedRequest[] = [];
  const opened = await openReplay(options.recording, options, caller, (replayed, mask) => {
    const { outcome, method, target, reason = "", nearest } = replayed;
    if (outcome !== "unmatched" || unmatched.length === unmatchedMax) return;
    unmatched.push({
      method,
      target: mask(target),
      reason: mask(reason),
      nearest: nearest.flatMap(nearMissLines).map((line) => mask(line)),
    });
  });
  try {
    const server = await serverOf(opened, options, caller);
    return replayAt(server, opened, { unmatched, notes });
  } catch (error) {
    await opened.close();
    throw error;
  }
}

function serverOf(
  { handler, bodyBytesMax }: OpenReplay,
  { host = "127.0.0.1", port = 0 }: ReplayOptions,
  caller: ProgramCaller,
): Promise<RunningServer> {
  const address = { host: host.replace(/^\[|\]$/g, ""), port };
  const options = {
    ...address,
    handler: refuseForeignOrigins(handler, new Set()),
    limits: new CountedLimits(limitValues({}, bodyBytesMax)),
    isCorsAllowed: false,
    onFault: (fault: unknown) => process.emitWarning(fault instanceof Error ? fault : String(fault)),
  };
  return listening("stub", address, caller, () => startServer(options));
}

function replayAt(server: RunningServer, opened: OpenReplay, kept: Pick<Replay, "unmatched" | "notes">): Replay {
  const failures: unknown[] = [];
  void opened.failed.then((failure) => failures.push(errorForLibrary(failure)));
  const close = async () => {
    await server.close();
    await opened.close();
    if (failures.length > 0) throw failures[0];
  };
  const url = reachableUrl(server.url);
  return {
    ...kept,
    ledgerUrl: url,
    registryUrl: url,
    exchanges: opened.exchanges,
    get summary() {
      return opened.replayer.summary;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
