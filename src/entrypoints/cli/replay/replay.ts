import { defaultProfileOf } from "../../../foundation/spec/spec.ts";
import { UserError } from "../../programs/user-error.ts";
import { profileFlag, registryProfileFlag } from "../flags/profile-flags.ts";
import { quietFlag } from "../flags/quiet-flag.ts";
import type { Command, Environment, Options } from "../options.ts";
import { replayServed, servedFlags } from "./replay-served.ts";

export const replay: Command = {
  name: "replay",
  usage: "replay HAR [flags]",
  flags: [
    profileFlag(`release of the recorded node and registry (default: ${defaultProfileOf("ledger")})`),
    registryProfileFlag,
    ...servedFlags,
    quietFlag,
  ],
  examples: ["understudy replay traffic.har", "understudy replay traffic.har --continue-with stub"],
  run: runReplay,
};

async function runReplay(options: Options, environment: Environment): Promise<number> {
  const [file, ...more] = options.positionals;
  if (file === undefined) throw new UserError("replay needs a recording: understudy replay x.har");
  if (more.length > 0) throw new UserError("replay takes one recording. Replay the others one by one.");
  return replayServed(file, options, environment);
}
