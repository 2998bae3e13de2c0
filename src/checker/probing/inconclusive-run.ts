import type { Api } from "../../foundation/spec/contracts.ts";
import type { InconclusiveRun, ProbeReport } from "../reports/report.ts";
import type { Probe } from "./probe.ts";

/**
 * The APIs of which a check that found nothing says nothing: none of their probes ran, or whatever was asked brought
 * refusals alone that any web server gives. An API without a probe among the chosen ones was not asked for.
 */
export function inconclusiveRuns(
  reports: readonly ProbeReport[],
  { apis, probes }: { readonly apis: ReadonlySet<Api>; readonly probes: readonly Probe[] },
): readonly InconclusiveRun[] {
  const byId = new Map(probes.map((probe) => [probe.id, probe]));
  return [...apis].flatMap((api) => {
    const own = reports.filter(({ id }) => byId.get(id)?.needs.includes(api) === true);
    if (own.length === 0 || own.some((report) => hasChecked(report, byId.get(report.id)))) return [];
    return [{ what: `the ${api}`, why: whyNot(own) }];
  });
}

/** A server that knows nothing of the API, or cannot reach it, answers like that. */
const anybodysRefusal = / (?:404|5\d\d)$/;

/** One that reached nothing met broken responses, which are findings. */
function hasChecked({ outcome, reached }: ProbeReport, probe: Probe | undefined): boolean {
  if (outcome !== "ran") return false;
  const isTelling = (pair: string) => probe?.reaches.includes(pair) === true || !anybodysRefusal.test(pair);
  return reached.length === 0 || reached.some(isTelling);
}

function whyNot(reports: readonly ProbeReport[]): string {
  const statuses = new Set(reports.flatMap(({ reached }) => reached.map((pair) => pair.split(" ").at(-1))));
  if (statuses.size > 0) return `it returned nothing but ${[...statuses].sort().join(", ")}; check its base URL`;
  const reasons = new Set(reports.flatMap(({ why }) => why ?? []));
  return `no probe of it ran: ${[...reasons].join("; ")}`;
}
