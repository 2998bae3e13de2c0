import { plainMask } from "../../../../foundation/secrets/mask.ts";
import { printable } from "../../../../foundation/text/printable.ts";
import type { RecordingItem } from "../../../../recordings/har/read-recording.ts";
import { RecordedWorlds } from "../../../../scenarios/inference/recorded-worlds.ts";
import { inferredFrom } from "../../files/inferred-from.ts";
import { standardInput } from "../../files/named-file.ts";
import { exchangesOf, openRecording, recordedOf } from "../../files/recording.ts";
import { namedProfile } from "../../flags/profile-flags.ts";
import type { Environment, Options } from "../../options.ts";
import { exitCodes, UserError } from "../../user-error.ts";
import { MigrationFindings } from "./findings.ts";
import { eventsOf, linesOf } from "./migration-lines.ts";
import { playMigration } from "./play-migration.ts";
import { releaseOfNode } from "./release-of-node.ts";
import { migrationOf, sourceRelease, targetRelease } from "./releases.ts";

/** Reports which requests of a recording a later release of the ledger refuses, or responds to differently. */
export async function checkMigration(target: string, options: Options, environment: Environment): Promise<number> {
  const [file, ...others] = options.positionals;
  if (file === undefined || others.length > 0)
    throw new UserError("--migrate-to takes one recording: understudy check traffic.har --migrate-to canton-3.6");
  if (file === standardInput)
    throw new UserError("--migrate-to reads the recording twice, so it takes no standard input. Name a file.");
  const to = /^https?:/i.test(target) ? await releaseOfNode(target, options, environment) : targetRelease(target);
  const worlds = new RecordedWorlds();
  for await (const exchange of exchangesOf(file, environment)) worlds.note(exchange);
  const from = sourceRelease(worlds, namedProfile(options));
  const migration = migrationOf(from, to);
  const findings = new MigrationFindings(migration);
  await inferredFrom(
    file,
    (async () => {
      for await (const played of playMigration(recordedIn(file, environment), worlds, migration)) {
        environment.progress(`${file}: exchange ${played.sent.number}`);
        findings.add(played);
      }
    })(),
  );
  const result = findings.result();
  const { counts } = result;
  if (counts.break + counts.change + counts.same + counts.inconclusive === 0)
    throw new UserError(
      `${file} has no request to a ledger or registry. Record some requests first: understudy record`,
    );
  const checked = { migration, reasons: { from: from.reason, to: to.reason }, result };
  if (options.flag("json")) for (const event of eventsOf(checked)) environment.print(plainMask(JSON.stringify(event)));
  else for (const line of linesOf(checked)) environment.print(printable(plainMask(line)));
  if (counts.break > 0) return exitCodes.findings;
  if (counts.change + counts.same + result.findings.length > 0) return exitCodes.fine;
  environment.printError("No request was compared, so the check does not pass. The lines above say why.");
  return exitCodes.usage;
}

async function* recordedIn(
  file: string,
  environment: Environment,
): AsyncGenerator<RecordingItem & { readonly type: "exchange" }> {
  for await (const item of openRecording(file, environment)) yield recordedOf(item, file);
}
