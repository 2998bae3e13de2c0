import type { Api } from "../../foundation/spec/contracts.ts";
import type { InconclusiveRun, ProbeReport } from "../reports/report.ts";
import type { Probe } from "./probe.ts";

/**
 * The APIs without a conclusive result: all their probes were skipped, or every response was a refusal that any web server
 * gives. An API is omitted if none of the chosen probes needs it.
 */
export function inconclusiveRuns(
  reports: readonly ProbeReport[],
  { apis, probes }: { readonly apis: ReadonlySet<Api>; readonly probes: readonly Probe[] },
): readonly InconclusiveRun[] {
  const byId = new Map(probes.map((probe) => [probe.id, probe]));
  return [...apis].flatMap((api) => {
    const own = reports.filter(({ id }) => byId.get(id)?.needs.includes(api) === true);
    if (own.length === 0 || own.some((report) => hasChecked(report, byId.get(report.id)))) return [];
    return [{ subject: subjectOf(api), reason: reasonOf(own) }];
  });
}

export function subjectOf(api: Api): string {
  return `the ${api}`;
}

/** Statuses of a server that does not serve the API, or of a gateway that cannot reach it. */
const genericRefusal = / (?:404|5\d\d)$/;

/** A run probe without observed responses received only incomplete ones, which are findings. */
function hasChecked({ outcome, reached }: ProbeReport, probe: Probe | undefined): boolean {
  if (outcome !== "run") return false;
  const isConclusive = (pair: string) => probe?.reaches.includes(pair) === true || !genericRefusal.test(pair);
  return reached.length === 0 || reached.some(isConclusive);
}

function reasonOf(reports: readonly ProbeReport[]): string {
  const statuses = new Set(reports.flatMap(({ reached }) => reached.map((pair) => pair.split(" ").at(-1))));
  if (statuses.size > 0) return `it returned only ${[...statuses].sort().join(", ")}. Check its base URL`;
  const reasons = new Set(reports.flatMap(({ reason }) => reason ?? []));
  return `all its probes were skipped: ${[...reasons].join("; ")}`;
}
