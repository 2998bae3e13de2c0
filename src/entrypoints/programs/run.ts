import type { LedgerProfile, RegistryProfile } from "../../foundation/spec/generated/names.ts";
import type { RunOfScenario } from "../cli/run.ts";
import { callCommand } from "./command-call.ts";

/** Options of `run`; each but `scenarios` has a default. */
export interface RunOptions {
  /** Scenario files. */
  readonly scenarios: readonly string[];
  /** Base URL of a ledger and registry that receive the requests. Default: the stub, in this process. */
  readonly against?: string;
  /** Token of the control API of the target, if it is a stub. */
  readonly controlToken?: string;
  /** This release only. Default: the `profiles` of the scenario, or all; for a target the newest. */
  readonly profile?: LedgerProfile;
  /** Release of the registry. Default: the one that goes with the ledger's profile. */
  readonly registryProfile?: RegistryProfile;
  /** Whether known divergences of the release fail. Default: false. */
  readonly strict?: boolean;
  /** Whether additional operations are checked too. Default: false. */
  readonly allOperations?: boolean;
  /** Time limit for a response of the target, in seconds. Default: 30. */
  readonly timeout?: number;
  /** Folder that relative file names start from. Default: the working folder. */
  readonly folder?: string;
}

/** The runs of the scenarios: one for each release of the stub, or one against the target. */
export interface RunResult {
  /** Whether every run passed. */
  readonly hasPassed: boolean;
  readonly runs: readonly RunOfScenario[];
  /** What the command prints on standard error, such as scenarios that do not support the release. */
  readonly notes: readonly string[];
}

/**
 * Runs scenarios like `understudy run`, against the stub or a target, and checks every response. A failed step is data.
 * Rejects with an UnderstudyError for an invalid option or scenario, and for a target that cannot be reached.
 *
 * @example
 * const { hasPassed, runs } = await run({ scenarios: ["first.arazzo.yaml"], profile: "canton-3.5" });
 */
export async function run({ scenarios, ...options }: RunOptions): Promise<RunResult> {
  const command = await import("../cli/run.ts");
  return callCommand(command.run, { ...options }, { scenarios }, async (call) => {
    const runs: RunOfScenario[] = [];
    const loaded = command.scenariosOf(call.options);
    for await (const result of command.runScenarios(loaded, call.options, call.environment))
      runs.push(command.resultOf(result));
    return { hasPassed: runs.every(({ hasPassed }) => hasPassed), runs, notes: call.notes };
  });
}
