import { type OptionChecks, oneOf, optionProblem, text } from "../library/option-checks.ts";
import { portCheck } from "../library/understudy-options.ts";
import { callProgram } from "./call-program.ts";
import { releaseChecks } from "./releases.ts";
import { matchModes, type Replay, type ReplayOptions, timingModes } from "./replay/replay-options.ts";

const checks: OptionChecks<ReplayOptions> = {
  ...releaseChecks,
  recording: text,
  match: oneOf(matchModes),
  timing: oneOf(timingModes),
  continueWith: text,
  port: portCheck,
  host: text,
};

/**
 * Serves a recording like `understudy replay`, on loopback or at the address `host`. A request without a recorded response
 * gets 501 and is in `unmatched`. Rejects with an UnderstudyError for an invalid option or recording, and if the server
 * cannot listen.
 *
 * @example
 * await using recorded = await replay({ recording: "traffic.har", profile: "canton-3.5" });
 * const response = await fetch(`${recorded.ledgerUrl}/v2/users`, { headers: { Authorization: "Bearer any" } });
 * expect(recorded.unmatched).toEqual([]);
 */
export function replay(options: ReplayOptions): Promise<Replay> {
  return callProgram(options, problemOf, async ({ caller, notes }) => {
    const { serveReplay } = await import("./replay/serve-replay.ts");
    return serveReplay(options, caller, notes);
  });
}

function problemOf(options: ReplayOptions): string | undefined {
  return optionProblem(options, checks, "ReplayOptions", ["recording"]);
}
