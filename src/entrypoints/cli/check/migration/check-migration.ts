import { plainMask } from "../../../../foundation/secrets/mask.ts";
import { printable } from "../../../../foundation/text/printable.ts";
import { ProfileDetector } from "../../../../scenarios/inference/profile-detector.ts";
import { createCallReader } from "../../../../scenarios/inference/recorded-call.ts";
import { standardInput } from "../../files/named-file.ts";
import { exchangesOf } from "../../files/recording.ts";
import { namedProfile } from "../../flags/profile-flags.ts";
import type { Environment, Options } from "../../options.ts";
import { exitCodes, UserError } from "../../user-error.ts";
import { MigrationFindings } from "./findings.ts";
import { eventsOf, linesOf } from "./migration-lines.ts";
import { recordedRequest } from "./recorded-request.ts";
import { type FoundRelease, migrationOf, sourceRelease, specOf, targetRelease } from "./releases.ts";

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
    );
  const checked = { migration, reason: from.reason, result };
  if (options.flag("json")) for (const event of eventsOf(checked)) environment.print(plainMask(JSON.stringify(event)));
  else for (const line of linesOf(checked)) environment.print(printable(plainMask(line)));
  if (counts.break > 0) return exitCodes.findings;
  if (counts.change + counts.same + result.findings.length > 0) return exitCodes.fine;
  environment.printError("No request was compared, so the check does not pass. The lines above say why.");
  return exitCodes.usage;
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
