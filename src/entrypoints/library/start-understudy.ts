import { loopbackAccess } from "../../stub/control/access.ts";
import { withControl } from "../../stub/control/control.ts";
import { defaultWorldId } from "../../stub/hosting/world-id.ts";
import { Inspection } from "../../stub/inspection/inspection.ts";
import { startServer } from "../../transport/server/http-server.ts";
import { refuseForeignOrigins } from "../../transport/server/own-origins.ts";
import { diskFiles, inspectorFiles, packagedFile, quickstartScenario } from "./files.ts";
import { HostedUnderstudy, withoutSocket } from "./hosted-understudy.ts";
import { textFiles } from "./texts.ts";
import type { Understudy } from "./understudy.ts";
import { hostingOf, jwtSecretOf, type ScenarioSource, type UnderstudyOptions } from "./understudy-options.ts";

/**
 * Creates a stub without a socket; call its `fetch`. The first stub takes some milliseconds, further ones less.
 * Throws an Error that lists the problems of the scenario with file and line, and a RangeError for an invalid option.
 *
 * @example
 * const understudy = createUnderstudy({ profile: "canton-3.5" });
 * const response = await understudy.fetch("/v2/users", { headers: { Authorization: "Bearer any" } });
 */
export function createUnderstudy(options: UnderstudyOptions = {}): Understudy {
  return new HostedUnderstudy(hostingOf(options, sourceOf(options)), defaultWorldId, withoutSocket(options));
}

/**
 * Starts a stub that listens on loopback, on `port` or else on a free port.
 * Rejects with an Error that lists the problems of the scenario, with a RangeError for an invalid option, or with the
 * system's error if the port is in use.
 *
 * @example
 * await using understudy = await startUnderstudy({ scenario: "scenarios/reassignment.arazzo.yaml" });
 * const client = connect(understudy.ledgerUrl);
 */
export async function startUnderstudy(
  options: UnderstudyOptions & { readonly port?: number } = {},
): Promise<Understudy> {
  const hosting = hostingOf(options, sourceOf(options));
  const inspection = new Inspection({
    source: hosting,
    access: loopbackAccess,
    page: inspectorFiles(),
    limits: hosting.limits,
    later: setTimeout,
    inner: withControl(hosting, loopbackAccess),
  });
  const server = await startServer({
    handler: refuseForeignOrigins(inspection.handler, new Set()),
    renderRefusal: hosting.renderRefusal,
    host: "127.0.0.1",
    port: options.port ?? 0,
    limits: hosting.limits,
    isCorsAllowed: false,
    onFault: (fault) => process.emitWarning(fault instanceof Error ? fault : String(fault)),
  });
  return new HostedUnderstudy(hosting, defaultWorldId, {
    rootUrl: server.url,
    jwtSecret: jwtSecretOf(options),
    close: () => server.close(),
  });
}

function sourceOf({ files, scenario }: UnderstudyOptions): ScenarioSource {
  if (files !== undefined && scenario === undefined)
    throw new RangeError("option files needs option scenario: the path of the scenario in files");
  return { files: files === undefined ? diskFiles : textFiles(files), path: packagedFile(quickstartScenario) };
}
