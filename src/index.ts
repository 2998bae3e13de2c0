/**
 * Stand-ins for a Canton participant's JSON Ledger API and for a token registry, for use in tests.
 *
 * @example
 * await using understudy = await startUnderstudy();
 * const answer = await fetch(`${understudy.ledgerUrl}/v2/users`, { headers: { Authorization: "Bearer any" } });
 */
export type { ConductFinding, CountedConductFinding } from "./conformance/conduct-finding.ts";
export type { Broken } from "./http/broken.ts";
export type { Exchange } from "./http/exchange.ts";
export type { HeaderList } from "./http/header.ts";
export type { Json, JsonObject } from "./http/json.ts";
export type { Request } from "./http/request.ts";
export type { Response } from "./http/response.ts";
export type { JournalEntry, Unexpected } from "./journal/journal-entry.ts";
export type { UnderstudySettings } from "./library/settings.ts";
export { createUnderstudy, startUnderstudy } from "./library/start-understudy.ts";
export type {
  FaultEntry,
  NamedFault,
  OperationId,
  PlanEntry,
  Reassignment,
  ReassignmentTarget,
  Understudy,
  UnderstudyClock,
} from "./library/understudy.ts";
export type { LimitName, LimitValues } from "./limits/limits.ts";
export type { paths as LedgerPaths } from "./spec/generated/ledger-types.ts";
export type { paths as NeighbourPaths } from "./spec/generated/neighbours-types.ts";
export type { paths as RegistryPaths } from "./spec/generated/registry-types.ts";
export type { ProfileNames } from "./spec/spec.ts";
