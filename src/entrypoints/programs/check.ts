import { failOnKinds } from "../../checker/reports/gate.ts";
import { hasPassed, type Report } from "../../checker/reports/report.ts";
import {
  filesLike,
  form,
  isText,
  isWhole,
  listOf,
  type OptionChecks,
  oneOf,
  optionProblem,
  text,
  yesOrNo,
} from "../library/option-checks.ts";
import { callProgram } from "./call-program.ts";
import type { ProgramCaller } from "./caller.ts";
import type { CommonCheckOptions, RecordingCheckOptions, TargetCheckOptions } from "./check/check-options.ts";
import { matchingFiles } from "./files/matching-files.ts";
import { namedFile } from "./files/named-file.ts";
import { rulesChecks, timeoutCheck } from "./releases.ts";

/** The report of a check, with its verdict. */
export interface CheckResult extends Report {
  /** Whether the check is complete and nothing fails it. */
  readonly hasPassed: boolean;
  /** What the command prints on standard error, such as a missing token. */
  readonly notes: readonly string[];
}

const commonChecks: OptionChecks<CommonCheckOptions> = {
  ...rulesChecks,
  require: listOf(text, "getV2Users"),
  failOn: listOf(oneOf(failOnKinds), failOnKinds[0]),
  baseline: text,
};

const recordingChecks: OptionChecks<RecordingCheckOptions> = {
  ...commonChecks,
  recordings: filesLike("traffic.har"),
  exclusive: yesOrNo,
  clientRules: yesOrNo,
};

const targetChecks: OptionChecks<TargetCheckOptions> = {
  ...commonChecks,
  ledger: text,
  registry: text,
  target: form("neither a file nor an object.", (value) => isText(value) || isMembers(value)),
  token: text,
  writes: yesOrNo,
  destructive: yesOrNo,
  only: listOf(text, "users-walk"),
  rate: form("not a valid number. Use a number above 0 and below 1000000000, such as 20 or 0.5.", isRate),
  limits: (name, value) =>
    isMembers(value) ? optionProblem(value, limitChecks, "TargetCheckOptions") : notLimits(name),
  seed: text,
  timeout: timeoutCheck,
};

const limitChecks: OptionChecks<NonNullable<TargetCheckOptions["limits"]>> = {
  requestsMax: form("not a valid limit. Use a whole number from 1.", (value) => isWhole(value) && value > 0),
};

function notLimits(name: string): string {
  return `option ${name}: not an object. Use numbers by name, such as { requestsMax: 1000 }.`;
}

function isRate(value: unknown): boolean {
  return typeof value === "number" && value > 0 && value < 1_000_000_000;
}

function isMembers(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Options of which a check of a live target needs one. */
const ofTarget = ["ledger", "registry", "target"] as const;

function problemOf(options: RecordingCheckOptions | TargetCheckOptions): string | undefined {
  const problem = optionProblem(
    options,
    { ...targetChecks, ...recordingChecks },
    "RecordingCheckOptions or TargetCheckOptions",
  );
  if (problem !== undefined) return problem;
  const names = Object.entries(options).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  const isLive = ofTarget.some((name) => names.includes(name));
  if (!isLive && !names.includes("recordings"))
    return 'check needs a recording or a target. Use recordings: ["traffic.har"], or ledger: "http://localhost:7575".';
  if (isLive && names.includes("recordings"))
    return "check takes recordings or a live target, not both. Remove one of the two.";
  const other = names.find((name) => !Object.hasOwn(isLive ? targetChecks : recordingChecks, name));
  const [kind, others] = isLive ? ["recordings", "a live target"] : ["a live target", "recordings"];
  return other === undefined ? undefined : `option ${other} applies to ${kind}, not to ${others}. Remove it.`;
}

/**
 * Checks recordings, or a live target, like `understudy check`. Violations are data: `summary.violations` has one of each
 * kind. Rejects with an UnderstudyError for an invalid option or file, for a recording without exchanges to check, and for a
 * target that cannot be reached.
 *
 * @example
 * const { hasPassed, summary } = await check({ recordings: ["traffic.har"], profile: "canton-3.5" });
 * const broken = summary.violations.map(({ rule, operationId, count }) => `${operationId}: ${rule} (${count} times)`);
 */
export function check(options: RecordingCheckOptions | TargetCheckOptions): Promise<CheckResult> {
  return callProgram(options, problemOf, async ({ caller, notes }) => {
    const { baselineIn, gated } = await import("./check/baseline-file.ts");
    const { notFound } = await import("./files/unreadable.ts");
    const { baseline, failOn = [] } = options;
    const file = baseline === undefined ? undefined : namedFile(baseline, caller);
    const before = file === undefined ? undefined : baselineIn(file);
    if (file !== undefined && before === undefined) throw notFound(file);
    const found =
      "recordings" in options && options.recordings !== undefined
        ? await checkedRecordings(options, caller)
        : await checkedTarget(options, caller);
    const report = gated(found, { before, failOn });
    return { ...report, hasPassed: hasPassed(report), notes };
  });
}

async function checkedRecordings(options: RecordingCheckOptions, caller: ProgramCaller): Promise<Report> {
  const { checkRecordings } = await import("./check/check-recordings.ts");
  const files = options.recordings.flatMap((file) => matchingFiles(file, caller.folder));
  const { report, error } = await checkRecordings(files, options, caller);
  if (error !== undefined) throw error;
  return report;
}

async function checkedTarget(options: TargetCheckOptions, caller: ProgramCaller): Promise<Report> {
  const [{ checkTarget }, { givenTarget }, { describeTarget }] = await Promise.all([
    import("./check/check-target.ts"),
    import("./check/given-target.ts"),
    import("./check/target.ts"),
  ]);
  const target = describeTarget(givenTarget(options, caller), caller);
  return (await checkTarget(target, { ...options, requestsMax: options.limits?.requestsMax }, caller)).report;
}
