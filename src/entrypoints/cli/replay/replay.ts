import { profileFlag, registryProfileFlag } from "../flags/profile-flags.ts";
import { quietFlag } from "../flags/quiet-flag.ts";
import type { Command, Environment, Options } from "../options.ts";
import { UserError } from "../user-error.ts";
import { againstFlags, replayAgainst } from "./replay-against.ts";
import { replayServed, servedFlags } from "./replay-served.ts";

export const replay: Command = {
  name: "replay",
  usage: "replay HAR [flags], or replay HAR --against URL [--and URL] [flags]",
  flags: [
    profileFlag("release whose operations and ids to expect (default: the newest)"),
    registryProfileFlag,
    ...servedFlags,
    ...againstFlags,
    quietFlag,
  ],
  examples: ["understudy replay traffic.har", "understudy replay traffic.har --against http://localhost:7575 --writes"],
  run: runReplay,
};

async function runReplay(options: Options, environment: Environment): Promise<number> {
  const [file, ...more] = options.positionals;
  if (file === undefined) throw new UserError("replay needs a recording: understudy replay x.har");
  if (more.length > 0) throw new UserError("replay takes one recording. Replay the others one by one.");
  const isAgainst = options.text("against") !== undefined;
  const misused = (isAgainst ? servingOnly : sendingOnly).find((name) => options.text(name) !== undefined);
  if (misused !== undefined)
    throw new UserError(
      isAgainst
        ? `--${misused} cannot be combined with --against: it is for serving a recording. Remove one of them.`
        : `--${misused} needs --against URL.`,
    );
  return isAgainst ? replayAgainst(file, options, environment) : replayServed(file, options, environment);
}

/** Flags of one use only. Flags that other commands share are not listed: their environment variables may be set. */
const servingOnly = ["match", "timing", "continue-with"] as const;
const sendingOnly = ["and", "and-registry"] as const;
