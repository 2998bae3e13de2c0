import { shellWord } from "../../checker/engine/curl-line.ts";
import { limitValues } from "../../foundation/limits/limits.ts";
import type { ControlAccess } from "../../stub/control/access.ts";
import { withControl } from "../../stub/control/control.ts";
import { tokenAccess } from "../../stub/control/token-check.ts";
import type { Hosting } from "../../stub/hosting/hosting.ts";
import { defaultWorldId } from "../../stub/hosting/world-id.ts";
import { Inspection } from "../../stub/inspection/inspection.ts";
import { StoreError } from "../../stub/stores/store-error.ts";
import { startServer } from "../../transport/server/http-server.ts";
import { refuseForeignOrigins } from "../../transport/server/own-origins.ts";
import type { StoredHosting } from "../stores/open-keeper.ts";
import { countedClients, coverageFolder, writeCoverage } from "./coverage-file.ts";
import { diskFiles, inspectorFiles, packagedFile, quickstartScenario } from "./files.ts";
import { forUser } from "./for-user.ts";
import { HostedUnderstudy, withoutSocket } from "./hosted-understudy.ts";
import { nodeProblem } from "./node-problem.ts";
import { controlTokenProblem, isHostName, isLoopbackAddress, reachableUrl } from "./own-address.ts";
import { textFiles } from "./texts.ts";
import type { Understudy } from "./understudy.ts";
import { UnderstudyError } from "./understudy-error.ts";
import {
  hostingOf,
  jwtSecretOf,
  type ScenarioSource,
  type StartOptions,
  type UnderstudyOptions,
} from "./understudy-options.ts";

/**
 * Creates a stub without a socket; call its `fetch`. The first stub takes some milliseconds, further ones less.
 * Throws an UnderstudyError that lists the problems of the scenario with file and line, and a RangeError for an invalid option.
 *
 * @example
 * const understudy = createUnderstudy({ profile: "canton-3.5" });
 * const response = await understudy.fetch("/v2/users", { headers: { Authorization: "Bearer any" } });
 */
export function createUnderstudy(options: UnderstudyOptions = {}): Understudy {
  const { hosting, save } = forUser(() => hostingWithCoverage(inMemory(options)));
  return new HostedUnderstudy(hosting, defaultWorldId, { ...withoutSocket(options), close: save });
}

/**
 * Starts a stub that listens on loopback, or on the address `host`, at `port` or else at a free port. With `host`, a back end
 * in another process or container can use it: each fork has a base URL of its own, `ledgerUrl`.
 * Rejects with an UnderstudyError that lists the problems of the scenario, with a RangeError for an invalid option, or with the
 * system's error if the port is in use.
 *
 * @example
 * await using understudy = await startUnderstudy({ scenario: "scenarios/reassignment.arazzo.yaml" });
 * const client = connect(understudy.ledgerUrl);
 *
 * @example
 * await using understudy = await startUnderstudy({ host: "0.0.0.0", hostName: "host.docker.internal", controlToken });
 * const world = understudy.fork();
 * await configureBackEnd({ ledgerUrl: world.ledgerUrl });
 */
export async function startUnderstudy(options: StartOptions = {}): Promise<Understudy> {
  const { host = "127.0.0.1" } = options;
  const access = forUser(() => accessOf(options, host));
  const stored = await storedHostingOf(options);
  const { hosting, save } = forUser(() => hostingWithCoverage(options, stored));
  await hosting.kept?.open();
  const inspection = new Inspection({
    source: hosting,
    access,
    page: inspectorFiles(),
    limits: hosting.limits,
    later: setTimeout,
    // With a secret of its own, the command line could not sign a token that the stub accepts.
    ...(options.jwtSecret === undefined ? { mint: () => mintLine } : {}),
    inner: withControl(hosting, access),
  });
  const server = await startServer({
    handler: refuseForeignOrigins(inspection.handler, access.hosts),
    renderRefusal: hosting.renderRefusal,
    host: host.replace(/^\[|\]$/g, ""),
    port: options.port ?? 0,
    limits: hosting.limits,
    isCorsAllowed: false,
    onFault: (fault) => process.emitWarning(fault instanceof Error ? fault : String(fault)),
  });
  return new HostedUnderstudy(hosting, defaultWorldId, {
    rootUrl: rootUrlOf(server.url, options),
    jwtSecret: jwtSecretOf(options),
    close: async () => {
      await server.close();
      await hosting.kept?.close();
      await save();
    },
  });
}

function mintLine(userId: string): string {
  return `npx understudy token --user ${shellWord(userId)}`;
}

/** The access to the control API. Throws RangeError for an invalid name or token, and for an open address without a token. */
function accessOf({ hostName, controlToken }: StartOptions, host: string): ControlAccess {
  const isAnyAddress = !isLoopbackAddress(host);
  const name = hostName?.toLowerCase();
  if (name !== undefined && !isHostName(name))
    throw new RangeError(`option hostName: ${JSON.stringify(hostName)} is not a host name. Use a name without a port.`);
  if (controlToken === undefined && isAnyAddress)
    throw new RangeError(
      `option host: other machines can reach ${host}, so the control API needs a token. Set the option controlToken to at least 16 characters, such as crypto.randomUUID().`,
    );
  const problem = controlToken === undefined ? undefined : controlTokenProblem(controlToken);
  if (problem !== undefined) throw new RangeError(`option controlToken: ${problem}`);
  return {
    hosts: new Set(name === undefined ? [] : [name]),
    isAnyAddress,
    token: controlToken === undefined ? undefined : tokenAccess(controlToken),
  };
}

function rootUrlOf(serverUrl: string, { hostName }: StartOptions): string {
  const url = new URL(reachableUrl(serverUrl));
  if (hostName !== undefined) url.hostname = hostName;
  return url.origin;
}

/** A hosting, and a function that writes what its clients have exercised to the folder that UNDERSTUDY_COVERAGE names. */
function hostingWithCoverage(
  options: UnderstudyOptions,
  stored?: StoredHosting,
): { readonly hosting: Hosting; save(): Promise<void> } {
  const problem = nodeProblem(process.versions.node);
  if (problem !== undefined) throw new UnderstudyError(problem);
  const folder = coverageFolder();
  const source = sourceOf(options);
  if (folder === undefined)
    return { hosting: hostingOf(options, source, undefined, stored), save: async () => undefined };
  const hosting = hostingOf(options, source, countedClients, stored);
  const save = async () => {
    // Exchanges are counted in microtasks.
    await Promise.resolve();
    if (hosting.coverage !== undefined) writeCoverage(hosting.coverage, folder);
  };
  return { hosting, save };
}

/** The options, unless they name a store: opening one takes time, which only `startUnderstudy` has. Throws RangeError then. */
function inMemory(options: UnderstudyOptions): UnderstudyOptions {
  if ("store" in options)
    throw new RangeError("option store: createUnderstudy keeps worlds in memory. Use startUnderstudy.");
  return options;
}

/** A process that waits in a debugger keeps its worlds for this time. */
const leaseMs = 30_000;

/** The store of the options; undefined for worlds in memory. Rejects with an UnderstudyError for a store that cannot be used. */
async function storedHostingOf({ store, durability, limits }: StartOptions): Promise<StoredHosting | undefined> {
  if (store === undefined || store === "memory:") return undefined;
  const { openKeeper } = await import("../stores/open-keeper.ts");
  return openKeeper({
    url: store,
    isRelaxed: durability === "relaxed",
    folder: "",
    migrations: packagedFile("migrations"),
    leaseMs,
    worldsMax: limitValues(limits).worldsMax,
    onFault: (fault) => process.emitWarning(fault instanceof Error ? fault : String(fault)),
  }).catch((error: unknown) => {
    throw error instanceof StoreError ? new UnderstudyError(`option store: ${error.message}`, error.type) : error;
  });
}

function sourceOf({ files, scenario }: UnderstudyOptions): ScenarioSource {
  if (files !== undefined && scenario === undefined)
    throw new RangeError("option files needs option scenario: the path of the scenario in files");
  return { files: files === undefined ? diskFiles : textFiles(files), path: packagedFile(quickstartScenario) };
}
