import { UserError } from "../../programs/user-error.ts";
import { clientCertificateFlags } from "../flags/client-certificate.ts";
import { forceFlag } from "../flags/force-flag.ts";
import { profileFlag } from "../flags/profile-flags.ts";
import { timeoutFlag } from "../flags/timeout.ts";
import { booleanFlag, type Command, type Environment, inGroup, type Options, textFlag } from "../options.ts";
import { importNode } from "./import-node.ts";
import { importRegistry } from "./import-registry.ts";
import { importScenario, stepsLimitFlag } from "./import-scenario.ts";

export const importRecording: Command = {
  name: "import",
  usage:
    "import RECORDING [--out FOLDER|FILE] [flags]\nimport --ledger URL [--registry URL] [--out FOLDER|FILE] [flags]",
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
    ...inGroup("Target", [
      textFlag("ledger", "URL", "import the state of the node with this JSON Ledger API, in place of a recording"),
      textFlag("registry", "URL", "and of the token registry at this URL"),
      { ...textFlag("token", "TOKEN", "token for the ledger; better in UNDERSTUDY_TOKEN"), secret: /^/ },
      timeoutFlag("time limit for a response (default 30)"),
    ]),
    ...clientCertificateFlags,
  ],
  pairs: [
    { flags: ["profile", "limit"], without: "registry-only" },
    { flags: ["registry", "token", "timeout"], needs: "ledger" },
    { flags: ["registry-only", "world", "limit"], without: "ledger" },
  ],
  examples: [
    "understudy import traffic.har --out scenarios",
    "understudy import --ledger http://127.0.0.1:7575 --out world",
  ],
  run: runImport,
};

async function runImport(options: Options, environment: Environment): Promise<number> {
  const [file, ...others] = options.positionals;
  if (options.isWord("ledger") || (file === undefined && options.isSet("ledger"))) {
    if (file !== undefined) throw new UserError(`import takes a recording or --ledger. Remove ${file} or --ledger.`);
    return importNode(options, environment);
  }
  if (file === undefined) throw new UserError("import needs a recording: understudy import traffic.har");
  if (others.length > 0) throw new UserError("import takes one recording. Import the others one by one.");
  if (!options.flag("registry-only")) return importScenario(file, options, environment);
  return importRegistry(file, options, environment);
}
