/**
 * A stateful mock server for a Canton participant's JSON Ledger API and for a token registry, for use in tests.
 *
 * @example
 * await using understudy = await startUnderstudy();
 * const response = await fetch(`${understudy.ledgerUrl}/v2/users`, { headers: { Authorization: "Bearer any" } });
 */

export type { ClientFinding, CountedClientFinding } from "./checker/client-rules/client-finding.ts";
export type { ClientRuleId } from "./checker/client-rules/generated/client-rule-ids.ts";
export { defineConfig, type UnderstudyConfig } from "./entrypoints/config/define-config.ts";
export { createUnderstudy, startUnderstudy } from "./entrypoints/library/start-understudy.ts";
export type {
  FaultEntry,
  NamedFault,
  PlanEntry,
  Reassignment,
  ReassignmentTarget,
  Understudy,
  UnderstudyClock,
} from "./entrypoints/library/understudy.ts";
export { UnderstudyError } from "./entrypoints/library/understudy-error.ts";
export type { StartOptions, UnderstudyOptions } from "./entrypoints/library/understudy-options.ts";
export type {
  CommonCheckOptions,
  RecordingCheckOptions,
  TargetCheckOptions,
} from "./entrypoints/programs/check/check-options.ts";
export { type CheckResult, check } from "./entrypoints/programs/check.ts";
export type { RulesOptions } from "./entrypoints/programs/releases.ts";
export type { Replay, ReplayOptions, UnmatchedRequest } from "./entrypoints/programs/replay/replay-options.ts";
export { replay } from "./entrypoints/programs/replay.ts";
export { type RunResult, run } from "./entrypoints/programs/run.ts";
export type { RunOptions } from "./entrypoints/programs/run-scenarios.ts";
export { type ValidateOptions, type ValidateResult, validate } from "./entrypoints/programs/validate.ts";
export type { Body } from "./foundation/http/body.ts";
export type { Exchange } from "./foundation/http/exchange.ts";
export type { FailedResponse } from "./foundation/http/failed-response.ts";
export type { HeaderList } from "./foundation/http/header.ts";
export type { Request } from "./foundation/http/request.ts";
export type { Response } from "./foundation/http/response.ts";
export type { Json, JsonObject } from "./foundation/json/json.ts";
export type { LimitName, LimitValues } from "./foundation/limits/limits.ts";
export type { paths as AdditionalPaths } from "./foundation/spec/generated/additional-types.ts";
export type { paths as LedgerPaths } from "./foundation/spec/generated/ledger-types.ts";
export type { ErrorCode, LedgerProfile, OperationId, RegistryProfile } from "./foundation/spec/generated/names.ts";
export type { paths as RegistryPaths } from "./foundation/spec/generated/registry-types.ts";
export type { ProfileNames } from "./foundation/spec/spec.ts";
export type { UnusedPlannedResponse } from "./simulator/world/world-state.ts";
export type { WorldSnapshot } from "./stub/control/world-snapshot.ts";
export type { JournalEntry, Unexpected } from "./stub/journal/journal-entry.ts";
