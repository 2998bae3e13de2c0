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
    profileFlag("release of the recorded node and registry (default: the newest)"),
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
  const [own, shared] = isAgainst ? [servingOnly, servingWords] : [sendingOnly, sendingWords];
  const misused = own.find((name) => options.text(name) !== undefined) ?? shared.find((name) => options.isWord(name));
  if (misused !== undefined)
    throw new UserError(
      isAgainst
        ? `--${misused} cannot be combined with --against: it is for serving a recording. Remove one of them.`
        : `--${misused} needs --against URL.`,
    );
  return isAgainst ? replayAgainst(file, options, environment) : replayServed(file, options, environment);
}

/** Flags of one use only. */
const servingOnly = ["match", "timing", "continue-with"] as const;
const sendingOnly = ["and", "and-registry"] as const;

/** Flags of one use that other commands share. Their environment variables may be set, so only the command line counts. */
const servingWords = ["port", "host", "tls-cert", "tls-key", "ready-file", "cors"] as const;
const sendingWords = ["registry", "token", "plain-token", "token-of", "name", "writes", "timeout"] as const;
