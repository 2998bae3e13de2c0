import { filesLike, form, type OptionChecks, optionProblem, text } from "../library/option-checks.ts";
import { controlTokenProblem } from "../library/own-address.ts";
import { callProgram } from "./call-program.ts";
import { matchingFiles } from "./files/matching-files.ts";
import { rulesChecks, timeoutCheck } from "./releases.ts";
import type { RunOfScenario, RunOptions } from "./run-scenarios.ts";

/** The runs of the scenarios: one for each release of the stub, or one against the target. */
export interface RunResult {
  /** Whether every run passed. */
  readonly hasPassed: boolean;
  readonly runs: readonly RunOfScenario[];
  /** What the command prints on standard error, such as scenarios that do not support the release. */
  readonly notes: readonly string[];
}

const checks: OptionChecks<RunOptions> = {
  scenarios: filesLike("first.arazzo.yaml"),
  against: text,
  controlToken: text,
  timeout: timeoutCheck,
  inputs: form("not an object with the values of inputs.", isPlain),
  ...rulesChecks,
};

function isPlain(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Options of a target; they have no effect without one. */
const ofTarget = ["controlToken", "timeout"] as const;

function problemOf(options: RunOptions): string | undefined {
  const problem = optionProblem(options, checks, "RunOptions", ["scenarios"]);
  if (problem !== undefined) return problem;
  const alone = ofTarget.find((name) => options.against === undefined && options[name] !== undefined);
  if (alone !== undefined)
    return `option ${alone} has no effect without option against. Use against: "http://localhost:7575", or remove ${alone}.`;
  const token = options.controlToken === undefined ? undefined : controlTokenProblem(options.controlToken);
  return token === undefined ? undefined : `option controlToken: ${token}`;
}

/**
 * Runs scenarios like `understudy run`, against the stub or a target, and checks every response. A failed step is data.
 * Rejects with an UnderstudyError for an invalid option or scenario, and for a target that cannot be reached.
 *
 * @example
 * const { hasPassed, runs } = await run({ scenarios: ["first.arazzo.yaml"], profile: "canton-3.5" });
 */
export function run(options: RunOptions): Promise<RunResult> {
  return callProgram(options, problemOf, async ({ caller, notes }) => {
    const { resultOf, runScenarios, scenariosToRun } = await import("./run-scenarios.ts");
    const files = options.scenarios.flatMap((file) => matchingFiles(file, caller.folder));
    const runs: RunOfScenario[] = [];
    for await (const result of runScenarios(scenariosToRun(files, options, caller), options, caller))
      runs.push(resultOf(result));
    return { hasPassed: runs.every(({ hasPassed }) => hasPassed), runs, notes };
  });
}
