import { UserError } from "../../programs/user-error.ts";
import { forceFlag } from "../flags/force-flag.ts";
import { profileFlag } from "../flags/profile-flags.ts";
import { booleanFlag, type Command, type Environment, type Options, textFlag } from "../options.ts";
import { importRegistry } from "./import-registry.ts";
import { importScenario, stepsLimitFlag } from "./import-scenario.ts";

export const importRecording: Command = {
  name: "import",
  usage: "import RECORDING [--out FOLDER|FILE] [flags]",
  flags: [
    textFlag(
      "out",
      "FOLDER|FILE",
      "folder of the scenario and its fixtures, or the file name of the scenario (default: the working directory)",
    ),
    forceFlag,
    booleanFlag(
      "registry-only",
      "write only a registry fixture, inferred from the transfer-factory lookups, to --out FILE (default: print it)",
    ),
    profileFlag("release of the ledger (default: inferred from the recording)"),
    textFlag(
      "world",
      "NAME",
      "import the exchanges of this world (default: the world named default, else the first one)",
    ),
    stepsLimitFlag,
  ],
  pairs: [{ flags: ["profile", "limit"], without: "registry-only" }],
  examples: [
    "understudy import traffic.har --out scenarios",
    "understudy import traffic.har --registry-only --out registry.yaml",
  ],
  run: runImport,
};

async function runImport(options: Options, environment: Environment): Promise<number> {
  const [file, ...others] = options.positionals;
  if (file === undefined) throw new UserError("import needs a recording: understudy import traffic.har");
  if (others.length > 0) throw new UserError("import takes one recording. Import the others one by one.");
  if (!options.flag("registry-only")) return importScenario(file, options, environment);
  return importRegistry(file, options, environment);
}
