import type { ProbeId } from "../../checker/probes/generated/probe-ids.ts";
import type { FailOn } from "../../checker/reports/gate.ts";
import type { Report } from "../../checker/reports/report.ts";
import type { LedgerProfile, OperationId, RegistryProfile } from "../../foundation/spec/generated/names.ts";
import type { UnderstudyConfig } from "../config/define-config.ts";
import { callCommand } from "./command-call.ts";

/** A live target, as in a config or target file. */
type TargetMembers = NonNullable<UnderstudyConfig["targets"]>[string];

/** Options of every check. */
interface CommonCheckOptions {
  /** Expected release. Default: the one that the target reports; for recordings the default release. */
  readonly profile?: LedgerProfile;
  /** Release of the registry. Default: the one that goes with the ledger's profile. */
  readonly registryProfile?: RegistryProfile;
  /** Whether known divergences of the release fail. Default: false. */
  readonly strict?: boolean;
  /** Whether additional operations are checked too. Default: false. */
  readonly allOperations?: boolean;
  /** Operations that must succeed at least once. */
  readonly require?: readonly (OperationId | "all")[];
  /** What else fails the check. */
  readonly failOn?: readonly FailOn[];
  /** File of findings that are accepted; only others fail. */
  readonly baseline?: string;
  /** Folder that relative file names start from. Default: the working folder. */
  readonly folder?: string;
}

/** Options of a check of recordings. */
export interface RecordingCheckOptions extends CommonCheckOptions {
  /** HAR files, plain or compressed. */
  readonly recordings: readonly string[];
  /** Whether no other client used the target: warnings about other clients then fail. Default: false. */
  readonly exclusive?: boolean;
  /** Whether the requests are checked against the client rules. Default: false. */
  readonly clientRules?: boolean;
}

/** Options of a check of a live target, which receives requests; it needs `ledger`, `registry` or `target`. */
export interface TargetCheckOptions extends CommonCheckOptions {
  /** Base URL of a JSON Ledger API. */
  readonly ledger?: string;
  /** Base URL of a token registry. */
  readonly registry?: string;
  /** Target: base URLs, tokens, ids, hooks; or a file that describes it. */
  readonly target?: string | TargetMembers;
  /** Token of a participant administrator. */
  readonly token?: string;
  /** Whether probes run that create users and parties, and vet packages. Default: false. */
  readonly writes?: boolean;
  /** Whether probes run whose changes cannot be undone. Default: false. */
  readonly destructive?: boolean;
  /** The only probes that run. Default: all. */
  readonly only?: readonly ProbeId[];
  /** Requests per second at most. Default: 20. */
  readonly rate?: number;
  /** Requests at most. Default: 500. */
  readonly limits?: { readonly requestsMax?: number };
  /** Part of all ids that probes create. Default: random. */
  readonly seed?: string;
  /** Time limit for a response, in seconds. Default: 30. */
  readonly timeout?: number;
}

/** The report of a check, with its verdict. */
export interface CheckResult extends Report {
  /** Whether the check is complete and nothing fails it. */
  readonly hasPassed: boolean;
  /** What the command prints on standard error, such as a missing token. */
  readonly notes: readonly string[];
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
export async function check(options: RecordingCheckOptions | TargetCheckOptions): Promise<CheckResult> {
  const [{ check: command, reportOf }, { checkReportFlags, gated }, { hasPassed }] = await Promise.all([
    import("../cli/check/check.ts"),
    import("../cli/report/finish-report.ts"),
    import("../../checker/reports/report.ts"),
  ]);
  const { recordings = [], ...given } = { recordings: undefined, ...options };
  return callCommand(command, given, { recordings }, async (call) => {
    checkReportFlags(call.options, []);
    const { report } = await reportOf(call.options, call.environment);
    const judged = gated(report, call.options);
    return { ...judged, hasPassed: hasPassed(judged), notes: call.notes };
  });
}
