import type { JSONWebKeySet } from "jose";
import { portableWord } from "../../checker/engine/curl-line.ts";
import { type Response, textResponse } from "../../foundation/http/response.ts";
import { withReason } from "../../foundation/http/with-reason.ts";
import { limitValues } from "../../foundation/limits/limits.ts";
import type { ControlAccess } from "../../stub/control/access.ts";
import { withControl } from "../../stub/control/control.ts";
import { tokenAccess } from "../../stub/control/token-check.ts";
import type { Hosting } from "../../stub/hosting/hosting.ts";
import type { KeptWorlds } from "../../stub/hosting/kept-worlds.ts";
import { streamOpener } from "../../stub/hosting/streams.ts";
import { defaultWorldId } from "../../stub/hosting/world-id.ts";
import { Inspection } from "../../stub/inspection/inspection.ts";
import { StoreError } from "../../stub/stores/store-error.ts";
import { createOauthServer, type OauthServer, withOauth } from "../../stub/tokens/oauth.ts";
import { type RunningServer, type ServerOptions, startServer } from "../../transport/server/http-server.ts";
import { refuseForeignOrigins, refuseForeignStreams } from "../../transport/server/own-origins.ts";
import { giveBack } from "../stores/give-back.ts";
import type { StoredHosting } from "../stores/open-keeper.ts";
import { countedClients, coverageFolder, writeCoverage } from "./coverage-file.ts";
import { diskFiles, inspectorFiles, packagedFile, quickstartScenario } from "./files.ts";
import { forUser } from "./for-user.ts";
import { HostedUnderstudy, tokensOf, withoutSocket } from "./hosted-understudy.ts";
import { PortsTaken, startLocalnet } from "./localnet.ts";
import { localnetAudience, localnetScenario } from "./localnet-names.ts";
import { nodeProblem } from "./node-problem.ts";
import { controlTokenProblem, isHostName, isLoopbackAddress, reachableUrl } from "./own-address.ts";
import { realTimers } from "./real-timers.ts";
import { takeDefaultWorld } from "./take-default-world.ts";
import { textFiles } from "./texts.ts";
import type { Understudy } from "./understudy.ts";
import { UnderstudyError } from "./understudy-error.ts";
import {
  checkOptions,
  hostingOf,
  type ScenarioSource,
  type StartOptions,
  type UnderstudyOptions,
  withLocalnet,
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
  const { hosting, save } = forUser(() => hostingWithCoverage(withLocalnet(inMemory(options))));
  return new HostedUnderstudy(hosting, defaultWorldId, { ...withoutSocket(options), close: save });
}

/**
 * Starts a stub that listens on loopback, or on the address `host`, at `port` or else at a free port. With `host`, a back end
 * in another process or container can use it: each fork has a base URL of its own, `ledgerUrl`.
 * With a `store`, it waits until the lease of a process that crashed has ended, at most about 30 seconds.
 * Rejects with an UnderstudyError that lists the problems of the scenario, or says that another process uses the default world
 * of the store; with a RangeError for an invalid option, or with the system's error if the port is in use.
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
export function startUnderstudy(options: StartOptions = {}): Promise<Understudy> {
  return startWithTimes(options, { leaseMs: 30_000 });
}

/** Times of a store. */
interface StoreTimes {
  /** A process that waits in a debugger keeps its worlds for this time. */
  readonly leaseMs: number;
  /** How long `close` waits for the store. */
  readonly closeMsMax?: number;
}

/** As `startUnderstudy`, with other times for its store. */
export async function startWithTimes(options: StartOptions, times: StoreTimes): Promise<Understudy> {
  forUser(() => checkOptions(options));
  const { host = "127.0.0.1" } = options;
  const access = forUser(() => accessOf(options, host));
  const stored = await storedHostingOf(options, times);
  try {
    return await listening(withLocalnet(options), { host, access, stored, times });
  } catch (error) {
    await closeStore(stored?.keeper, times).catch(warn);
    throw error;
  }
}

interface StubParts {
  readonly host: string;
  readonly access: ControlAccess;
  /** Undefined for worlds in memory. */
  readonly stored: StoredHosting | undefined;
  readonly times: StoreTimes;
}

async function listening(options: StartOptions, { host, access, stored, times }: StubParts): Promise<Understudy> {
  const oauth: OauthServer | undefined =
    options.localnet === true ? await localnetOauth((): Hosting => hosting) : undefined;
  const { hosting, save } = forUser(() => hostingWithCoverage(options, stored, oauth?.keys));
  if (hosting.kept !== undefined) await takeDefaultWorld(hosting.kept, times.leaseMs);
  const { handler } = new Inspection({
    source: hosting,
    access,
    page: inspectorFiles(),
    limits: hosting.limits,
    later: setTimeout,
    // With a secret of its own, the command line could not sign a token that the stub accepts.
    ...(options.jwtSecret === undefined ? { mint: () => mintLineOf(options) } : {}),
    inner: oauth === undefined ? withControl(hosting, access) : withOauth(withControl(hosting, access), oauth),
  });
  let isClosing = false;
  // A world of the store that a late request takes again would be served beside the one whose changes are being stored.
  const untilClosing: typeof handler = (request, context) =>
    isClosing ? closingResponse() : handler(request, context);
  const served = stored === undefined ? handler : untilClosing;
  const isCorsAllowed = options.cors === true;
  const note = hosting.noteRefused.bind(hosting);
  const openStream = streamOpener(hosting, realTimers);
  const server = await serverOf(options, {
    handler: isCorsAllowed ? served : refuseForeignOrigins(served, access.hosts, note),
    openStream: isCorsAllowed ? openStream : refuseForeignStreams(openStream, access.hosts, note),
    renderRefusal: hosting.renderRefusal,
    host: host.replace(/^\[|\]$/g, ""),
    limits: hosting.limits,
    isCorsAllowed,
    onOtherProtocol: warn,
    onFault: warn,
  });
  return new HostedUnderstudy(hosting, defaultWorldId, {
    rootUrl: rootUrlOf(server.url, options),
    ...tokensOf(options),
    close: async () => {
      isClosing = true;
      await server.close();
      await closeStore(hosting.kept, times);
      await save();
    },
  });
}

/** The server at the port of the options, or the servers at the ports of a LocalNet. */
function serverOf(options: StartOptions, serving: Omit<ServerOptions, "port">): Promise<RunningServer> {
  if (options.localnet !== true || options.port !== undefined)
    return startServer({ ...serving, port: options.port ?? 0 });
  return startLocalnet(serving).catch((error: unknown) => {
    if (!(error instanceof PortsTaken)) throw error;
    throw new UnderstudyError(`${error.message} Or serve it at one free port with the option port: 0.`);
  });
}

/** The authorization server of a LocalNet. Its tokens are valid for the stub and for a client that compares with its own clock. */
function localnetOauth(hosting: () => Hosting): Promise<OauthServer> {
  const nowMs = () => Math.max(Date.now(), hosting().worlds.get(defaultWorldId)?.world.elapse().nowMs ?? 0);
  return createOauthServer({ nowMs, scheme: "http", audience: localnetAudience });
}

function closingResponse(): Response {
  const reason = "The stub is closing, so the request was not executed.";
  return withReason(textResponse(503, "text/plain; charset=UTF-8", reason), reason);
}

async function closeStore(kept: Pick<KeptWorlds, "close"> | undefined, { closeMsMax }: StoreTimes): Promise<void> {
  if (kept === undefined) return;
  const problem = await giveBack(kept, closeMsMax);
  if (problem !== undefined) warn(problem);
}

function warn(fault: unknown): void {
  process.emitWarning(fault instanceof Error ? fault : String(fault));
}

function mintLineOf({ localnet }: StartOptions): (userId: string) => string {
  const audience = localnet === true ? ` --audience ${localnetAudience}` : "";
  return (userId) => `npx understudy token --user ${portableWord(userId)}${audience}`;
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
  keys?: JSONWebKeySet,
): { readonly hosting: Hosting; save(): Promise<void> } {
  const problem = nodeProblem(process.versions.node);
  if (problem !== undefined) throw new UnderstudyError(problem);
  const folder = coverageFolder();
  const source = sourceOf(options);
  if (folder === undefined)
    return { hosting: hostingOf(options, source, undefined, stored, keys), save: async () => undefined };
  const hosting = hostingOf(options, source, countedClients, stored, keys);
  const save = async () => {
    // Exchanges are counted in microtasks.
    await Promise.resolve();
    if (hosting.coverage !== undefined) writeCoverage(hosting.coverage, folder);
  };
  return { hosting, save };
}

/** The options, unless they name a store: opening one takes time, which only `startUnderstudy` has. Throws RangeError then. */
function inMemory(options: UnderstudyOptions): UnderstudyOptions {
  checkOptions(options);
  if ("store" in options)
    throw new RangeError("option store: createUnderstudy keeps worlds in memory. Use startUnderstudy.");
  return options;
}

/** The store of the options; undefined for worlds in memory. Rejects with an UnderstudyError for a store that cannot be used. */
async function storedHostingOf(
  { store, durability, limits }: StartOptions,
  { leaseMs }: StoreTimes,
): Promise<StoredHosting | undefined> {
  if (store === undefined || store === "memory:") return undefined;
  const { openKeeper } = await import("../stores/open-keeper.ts");
  return openKeeper({
    url: store,
    isRelaxed: durability === "relaxed",
    folder: "",
    migrations: packagedFile("migrations"),
    leaseMs,
    worldsMax: limitValues(limits).worldsMax,
    stateBytesMax: limitValues(limits).stateBytesMax,
    onFault: warn,
  }).catch((error: unknown) => {
    throw error instanceof StoreError ? new UnderstudyError(`option store: ${error.message}`, error.type) : error;
  });
}

function sourceOf({ files, scenario, localnet }: UnderstudyOptions): ScenarioSource {
  if (files !== undefined && scenario === undefined)
    throw new RangeError("option files needs option scenario: the path of the scenario in files");
  const path = packagedFile(localnet === true ? localnetScenario : quickstartScenario);
  return { files: files === undefined ? diskFiles : textFiles(files), path };
}
