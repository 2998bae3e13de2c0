import { plainMask } from "../../../../foundation/secrets/mask.ts";
import { printable } from "../../../../foundation/text/printable.ts";
import { ProfileDetector } from "../../../../scenarios/inference/profile-detector.ts";
import { createCallReader } from "../../../../scenarios/inference/recorded-call.ts";
import { standardInput } from "../../../programs/files/named-file.ts";
import { exchangesOf } from "../../../programs/files/recording.ts";
import { exitCodes, UserError } from "../../../programs/user-error.ts";
import { namedProfile } from "../../flags/profile-flags.ts";
import type { Environment, Options } from "../../options.ts";
import {
  type Effect,
  type MigrationFinding,
  MigrationFindings,
  type MigrationResult,
  type RequestExample,
  requestsOf,
} from "./findings.ts";
import { recordedRequest } from "./recorded-request.ts";
import { type FoundRelease, type Migration, migrationOf, sourceRelease, specOf, targetRelease } from "./releases.ts";

/** Reports which requests of a recording a later release of the ledger refuses, or responds to differently. */
export async function checkMigration(target: string, options: Options, environment: Environment): Promise<number> {
  const [file, ...others] = options.positionals;
  if (file === undefined || others.length > 0)
    throw new UserError("--migrate-to takes one recording: understudy check traffic.har --migrate-to canton-3.6");
  if (file === standardInput)
    throw new UserError("--migrate-to reads the recording twice, so it takes no standard input. Name a file.");
  const to = targetRelease(target);
  const from = await releaseOf(file, options, environment);
  const migration = migrationOf(from.name, to);
  const specs = [specOf(migration.from), specOf(migration.checked)];
  const findings = new MigrationFindings(migration);
  let number = 0;
  for await (const exchange of exchangesOf(file, environment)) {
    number += 1;
    environment.progress(`${file}: exchange ${number}`);
    findings.add(recordedRequest(number, exchange, specs));
  }
  const result = findings.result();
  const { counts } = result;
  if (counts.break + counts.change + counts.same + counts.inconclusive === 0)
    throw new UserError(
      `${file} has no request to a ledger or registry. Record some requests first: understudy record`,
      exitCodes.incomplete,
    );
  const checked = { migration, reason: from.reason, result };
  if (options.flag("json")) for (const event of eventsOf(checked)) environment.print(plainMask(JSON.stringify(event)));
  else for (const line of linesOf(checked)) environment.print(printable(plainMask(line)));
  if (counts.break > 0) return exitCodes.findings;
  if (counts.change + counts.same + result.findings.length > 0) return exitCodes.fine;
  environment.printError("No request was compared, so the check does not pass. The lines above say why.");
  return exitCodes.incomplete;
}

async function releaseOf(file: string, options: Options, environment: Environment): Promise<FoundRelease> {
  const read = createCallReader();
  const detector = new ProfileDetector();
  for await (const exchange of exchangesOf(file, environment)) {
    const call = read(exchange);
    if (call !== undefined) detector.note(call);
  }
  return sourceRelease(detector, namedProfile(options));
}

/** A finished check of a migration. */
interface CheckedMigration {
  readonly migration: Migration;
  /** How the release of the recording was found. */
  readonly reason: string;
  readonly result: MigrationResult;
}

/** The result as JSON values, one for each line. */
function eventsOf({ migration: { from, checked, to }, result }: CheckedMigration): readonly object[] {
  return [
    ...result.findings.map((finding) => ({ event: "finding", ...finding })),
    ...result.inconclusive.map((reason) => ({ event: "inconclusive", ...reason })),
    ...result.undecided.map((what) => ({ event: "not-decided", what })),
    { event: "summary", from, checked, to, ...result.counts },
  ];
}

const marks: Readonly<Record<Effect, string>> = { breaks: "BREAKS ", changes: "CHANGES", warning: "WARNING" };

/** The result as text. */
function linesOf({ migration: { from, checked, to }, reason, result }: CheckedMigration): readonly string[] {
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
