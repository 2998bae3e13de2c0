import { contracts } from "../../foundation/spec/contracts.ts";
import type { SpecOperation } from "../../foundation/spec/operation.ts";
import type { Spec } from "../../foundation/spec/spec.ts";
import type { DriftReport } from "./drift.ts";
import { type InconclusiveRun, notAllowed, type ProbeReport, type Report } from "./report.ts";

/** Parts of a report that can fail a check beside violations. */
export const failOnKinds = ["skipped", "warning", "known", "drift"] as const;
export type FailOn = (typeof failOnKinds)[number];

/** The report with the reasons why the check fails although it may have no violation: one phrase for each kind. */
export function withFailOn(report: Report, kinds: readonly FailOn[]): Report {
  const failing = failOnKinds.filter((kind) => kinds.includes(kind)).flatMap((kind) => reasonOf(kind, report) ?? []);
  return failing.length === 0 ? report : { ...report, failing };
}

function reasonOf(kind: FailOn, { summary, probing, baseline, drift }: Report): string | undefined {
  switch (kind) {
    case "skipped":
      return counted(probing?.probes.filter(isSkippedThoughAllowed).length ?? 0, "skipped probe");
    case "warning": {
      const accepted = new Set(baseline?.accepted);
      const warnings = summary.violations.filter(
        ({ outcome, fingerprint }) => outcome === "WARN" && !accepted.has(fingerprint),
      );
      return counted(warnings.length, "kind", " of warning");
    }
    case "known":
      return counted(summary.knownDivergences.length, "known divergence");
    case "drift":
      return drift === undefined ? undefined : driftReason(drift);
  }
}

/** A description that could not be compared fails, too. */
function driftReason({ problem, differences, dropped }: DriftReport): string | undefined {
  if (problem !== undefined) return `drift that was not checked: ${problem}`;
  return counted(differences.length + dropped, "difference", " of the OpenAPI description from the profile");
}

function isSkippedThoughAllowed({ outcome, reason }: ProbeReport): boolean {
  return outcome === "skipped" && reason?.startsWith(notAllowed) !== true;
}

function counted(count: number, noun: string, rest = ""): string | undefined {
  return count === 0 ? undefined : `${count} ${noun}${count === 1 ? "" : "s"}${rest}`;
}

/**
 * The required operations that had no response with a status of 200 to 299. Those without a response that a rule can read
 * make a report incomplete by themselves.
 */
export function withoutSuccess(
  { matrix, notChecked = [] }: Pick<Report["summary"], "matrix" | "notChecked">,
  required: readonly string[],
): readonly InconclusiveRun[] {
  const succeeded = new Set(matrix.filter(({ status }) => isSuccess(status)).map(({ operationId }) => operationId));
  const hasRow = (operationId: string) => matrix.some((row) => row.operationId === operationId);
  return required
    .filter((operationId) => !succeeded.has(operationId))
    .filter((operationId) => hasRow(operationId) || notChecked.every((without) => without.operationId !== operationId))
    .map((operationId) => ({ subject: operationId, reason: reasonWithoutSuccess(matrix, operationId) }));
}

function reasonWithoutSuccess(matrix: Report["summary"]["matrix"], operationId: string): string {
  const rows = matrix.filter((row) => row.operationId === operationId);
  if (rows.length === 0) return "no request was observed";
  const statuses = [...new Set(rows.map(({ status }) => status))].filter((status) => status > 0);
  return statuses.length === 0 ? "no response" : `no success, only ${statuses.sort((a, b) => a - b).join(", ")}`;
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** Whether the release disables the operation unless the configuration of the node enables it. */
export function isDisabled({ method, path }: SpecOperation, { profile }: Spec): boolean {
  const { disables = [] } = contracts.profiles.find(({ name }) => name === profile.ledger) ?? {};
  return disables.some(({ endpoints = [] }) => endpoints.includes(`${method} ${path}`));
}
