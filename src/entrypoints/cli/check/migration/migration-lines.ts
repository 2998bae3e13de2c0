import type { Effect, MigrationFinding, MigrationResult, RequestExample } from "./findings.ts";
import type { Migration } from "./releases.ts";

/** A finished check of a migration. */
export interface CheckedMigration {
  readonly migration: Migration;
  /** How both releases were found; empty for one that is named. */
  readonly reasons: { readonly from: string; readonly to: string };
  readonly result: MigrationResult;
}

/** The result as JSON values, one for each line. */
export function eventsOf({ migration: { from, played, to }, result }: CheckedMigration): readonly object[] {
  return [
    ...result.findings.map((finding) => ({ event: "finding", ...finding })),
    ...result.inconclusive.map((reason) => ({ event: "inconclusive", ...reason })),
    ...result.undecided.map((what) => ({ event: "not-decided", what })),
    { event: "summary", from, played, to, ...result.counts },
  ];
}

const marks: Readonly<Record<Effect, string>> = { breaks: "BREAKS ", changes: "CHANGES", warning: "WARNING" };

/** The result as text. */
export function linesOf({ migration: { from, played, to }, reasons, result }: CheckedMigration): readonly string[] {
  const { counts, findings, inconclusive, undecided } = result;
  const total = counts.break + counts.change + counts.same + counts.inconclusive;
  const target = reasons.to === "" ? to : `${to} (${reasons.to})`;
  return [
    `From ${from} (${reasons.from}) to ${target}${played === to ? "" : `; requests are played on ${played}, later changes are announced`}.`,
    ...findings.flatMap(findingLines),
    ...inconclusive.flatMap((group) => [
      `INCONCLUSIVE ${group.reason} (${requestsOf(group.requests)})`,
      exampleLine(group.example),
    ]),
    ...undecided.map((what) => `NOT DECIDED ${what}`),
    `${requestsOf(total)}: ${counts.break} break, ${counts.change} change, ${counts.same} the same, ${counts.inconclusive} inconclusive.`,
    ...(counts.other === 0 ? [] : [`${requestsOf(counts.other)} to other servers skipped.`]),
  ];
}

function findingLines({
  effect,
  cause,
  requests,
  since,
  example,
  advice,
  evidence,
}: MigrationFinding): readonly string[] {
  return [
    `${marks[effect]} ${cause} (${requestsOf(requests)}; since ${since})`,
    exampleLine(example),
    ...(advice === "" ? [] : [`  change    ${advice}`]),
    ...(evidence === "" ? [] : [`  ${effect === "warning" ? "source  " : "known as"}  ${evidence}`]),
  ];
}

function exampleLine({ exchange, method, target, statuses }: RequestExample): string {
  return `  example   exchange ${exchange}, ${method} ${target}: ${statuses}`;
}

function requestsOf(count: number): string {
  return `${count} ${count === 1 ? "request" : "requests"}`;
}
