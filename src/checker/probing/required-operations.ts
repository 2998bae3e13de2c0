import type { Api } from "../../foundation/spec/contracts.ts";
import type { Spec } from "../../foundation/spec/spec.ts";
import { isDisabled, withoutSuccess } from "../reports/gate.ts";
import type { InconclusiveRun, ProbeReport, Report } from "../reports/report.ts";
import { inconclusiveRuns, subjectOf } from "./inconclusive-run.ts";
import { type Probe, type Safety, safeties } from "./probe.ts";

/** What a check of a live target must reach to pass. */
interface Requirements {
  /** Operation ids; undefined for every enabled operation that an allowed probe calls with success. */
  readonly required: readonly string[] | undefined;
  readonly apis: ReadonlySet<Api>;
  readonly allowed: Safety;
  /** All probes that the check chose, those of other shards included. */
  readonly probes: readonly Probe[];
  readonly spec: Spec;
}

/**
 * The APIs without a conclusive result, the required operations of the others that had no success, and more than
 * half of the target if that share of the probes that the flags allow was skipped, each with its reason.
 */
export function unmetRequirements(
  reports: readonly ProbeReport[],
  summary: Report["summary"],
  requirements: Requirements,
): readonly InconclusiveRun[] {
  const { apis, probes, spec } = requirements;
  const unchecked = inconclusiveRuns(reports, { apis, probes });
  const checked = new Set([...apis].filter((api) => !unchecked.some(({ subject }) => subject === subjectOf(api))));
  const possible = possibleOf(requirements);
  const isPossible = ({ operationId, isAdditional, api }: Spec["operations"][number]) =>
    !isAdditional && checked.has(api) && possible.some((probe) => aimsAtSuccess(probe, operationId));
  const required =
    requirements.required ??
    spec.operations
      .filter((operation) => isPossible(operation) && !isDisabled(operation, spec))
      .map(({ operationId }) => operationId);
  const missing = withoutSuccess(summary, required).map(({ subject, reason }) => ({
    subject,
    reason: [reason, ...adviceOn(subject, reports, [possible, probes])].join("; "),
  }));
  const isDefault = requirements.required === undefined && unchecked.length === 0;
  return [...unchecked, ...missing, ...(isDefault ? mostSkipped(reports, possible) : [])];
}

/** The probes that the flags allow, of the APIs that the check names. */
function possibleOf({ probes, allowed, apis }: Requirements): readonly Probe[] {
  return probes.filter(
    ({ safety, needs }) =>
      safeties.indexOf(safety) <= safeties.indexOf(allowed) &&
      (["ledger", "registry"] as const).every((api) => !needs.includes(api) || apis.has(api)),
  );
}

function aimsAtSuccess({ reaches }: Probe, operationId: string): boolean {
  return reaches.includes(`${operationId} 200`);
}

/** Why a probe that calls the operation with success was skipped. The first list with such a probe decides. */
function adviceOn(
  operationId: string,
  reports: readonly ProbeReport[],
  lists: readonly (readonly Probe[])[],
): readonly string[] {
  const aimingOf = lists.map((probes) => probes.filter((probe) => aimsAtSuccess(probe, operationId)));
  const aiming = new Set(aimingOf.find(({ length }) => length > 0)?.map(({ id }) => id));
  const reasons = reports.flatMap(({ id, outcome, reason }) =>
    outcome === "skipped" && aiming.has(id) ? (reason ?? []) : [],
  );
  // The shortest reason names the fewest missing values.
  return [...new Set(reasons)].sort((left, right) => left.length - right.length).slice(0, 1);
}

function mostSkipped(reports: readonly ProbeReport[], possible: readonly Probe[]): readonly InconclusiveRun[] {
  const ids = new Set(possible.map(({ id }) => id));
  const own = reports.filter(({ id }) => ids.has(id));
  const skipped = own.filter(({ outcome }) => outcome === "skipped");
  if (skipped.length * 2 <= own.length) return [];
  const [[reason = "no reason given"] = []] = [...Map.groupBy(skipped, (report) => report.reason)].sort(
    ([, left], [, right]) => right.length - left.length,
  );
  return [
    {
      subject: "more than half of the target",
      reason: `${skipped.length} of the ${own.length} probes that the flags allow were skipped: ${reason}`,
    },
  ];
}
