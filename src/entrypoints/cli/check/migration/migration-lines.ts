import {
  type Effect,
  type MigrationFinding,
  type MigrationResult,
  type RequestExample,
  requestsOf,
} from "./findings.ts";
import type { Migration } from "./releases.ts";

/** A finished check of a migration. */
interface CheckedMigration {
  readonly migration: Migration;
  /** How the release of the recording was found. */
  readonly reason: string;
  readonly result: MigrationResult;
}

/** The result as JSON values, one for each line. */
export function eventsOf({ migration: { from, checked, to }, result }: CheckedMigration): readonly object[] {
  return [
    ...result.findings.map((finding) => ({ event: "finding", ...finding })),
    ...result.inconclusive.map((reason) => ({ event: "inconclusive", ...reason })),
    ...result.undecided.map((what) => ({ event: "not-decided", what })),
    { event: "summary", from, checked, to, ...result.counts },
  ];
}

const marks: Readonly<Record<Effect, string>> = { breaks: "BREAKS ", changes: "CHANGES", warning: "WARNING" };

/** The result as text. */
export function linesOf({ migration: { from, checked, to }, reason, result }: CheckedMigration): readonly string[] {
  const { counts, findings, inconclusive, undecided } = result;
  const total = counts.break + counts.change + counts.same + counts.inconclusive;
  return [
    `From ${from} (${reason}) to ${to}${checked === to ? "" : `; requests are checked for ${checked}, later changes are announced`}.`,
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
