import { defaultProfileOf } from "../../../foundation/spec/spec.ts";
import { profileFlag, registryProfileFlag } from "../flags/profile-flags.ts";
import { quietFlag } from "../flags/quiet-flag.ts";
import type { Command, Environment, Flag, Options } from "../options.ts";
import { UserError } from "../user-error.ts";
import { againstFlags, replayAgainst } from "./replay-against.ts";
import { replayServed, servedFlags } from "./replay-served.ts";

export const replay: Command = {
  name: "replay",
  usage: "replay HAR [flags]\nreplay HAR --against URL [--and URL] [flags]",
  flags: [
    profileFlag(`release of the recorded node and registry (default: ${defaultProfileOf("ledger")})`),
    registryProfileFlag,
    ...servedFlags,
    ...againstFlags,
    quietFlag,
  ],
  pairs: [
    { flags: ["and-registry"], needs: "and" },
    { flags: namesOf(againstFlags).filter((name) => name !== "against"), needs: "against" },
    { flags: namesOf(servedFlags), without: "against" },
  ],
  examples: ["understudy replay traffic.har", "understudy replay traffic.har --against http://localhost:7575 --writes"],
  run: runReplay,
};

async function runReplay(options: Options, environment: Environment): Promise<number> {
  const [file, ...more] = options.positionals;
  if (file === undefined) throw new UserError("replay needs a recording: understudy replay x.har");
  if (more.length > 0) throw new UserError("replay takes one recording. Replay the others one by one.");
  const replayed = options.isSet("against") ? replayAgainst : replayServed;
  return replayed(file, options, environment);
}

function namesOf(flags: readonly Flag[]): readonly string[] {
  return flags.map(({ name }) => name);
}
