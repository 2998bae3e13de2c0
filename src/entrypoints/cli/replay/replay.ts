import type { Command, Environment, Options } from "../options.ts";
import { profileFlag } from "../release-flags.ts";
import { UserError } from "../user-error.ts";
import { againstFlags, replayAgainst } from "./replay-against.ts";
import { replayServed, servedFlags } from "./replay-served.ts";

export const replay: Command = {
  name: "replay",
  usage: "replay HAR [flags], or replay HAR --against URL [--and URL] [flags]",
  flags: [
    profileFlag("release whose operations and ids are known (default: the newest)"),
    ...servedFlags,
    ...againstFlags,
  ],
  run: runReplay,
};

async function runReplay(options: Options, environment: Environment): Promise<number> {
  const [file, ...more] = options.positionals;
  if (file === undefined) throw new UserError("replay needs a recording: understudy replay x.har");
  if (more.length > 0) throw new UserError("replay takes one recording at a time.");
  const isAgainst = options.text("against") !== undefined;
  const misused = (isAgainst ? ofServing : ofSending).find((name) => options.text(name) !== undefined);
  if (misused !== undefined)
    throw new UserError(
      isAgainst
        ? `--${misused} is for serving a recording; it does not go with --against.`
        : `--${misused} goes with --against URL.`,
    );
  return isAgainst ? replayAgainst(file, options, environment) : replayServed(file, options, environment);
}

/** Flags that only one of the two ways has, and that nobody keeps in the environment for other commands. */
const ofServing = ["match", "timing", "continue-with"] as const;
const ofSending = ["and", "and-registry"] as const;
