import type { ProbeId } from "../../../checker/probes/generated/probe-ids.ts";
import type { FailOn } from "../../../checker/reports/gate.ts";
import type { OperationId } from "../../../foundation/spec/generated/names.ts";
import type { UnderstudyConfig } from "../../config/define-config.ts";
import type { RulesOptions } from "../releases.ts";

/** A live target, as in a config or target file. */
type TargetMembers = NonNullable<UnderstudyConfig["targets"]>[string];

/** Options of every check. */
export interface CommonCheckOptions extends RulesOptions {
  /** Operations that must succeed at least once. */
  readonly require?: readonly (OperationId | "all")[];
  /** What else fails the check. */
  readonly failOn?: readonly FailOn[];
  /** File of findings that are accepted; only others fail. */
  readonly baseline?: string;
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
  /** Requests at most. Default: 1000. */
  readonly limits?: { readonly requestsMax?: number };
  /** Part of all ids that probes create. Default: random. */
  readonly seed?: string;
  /** Time limit for a response, in seconds. Default: 30. */
  readonly timeout?: number;
}
