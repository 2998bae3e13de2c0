import { once } from "node:events";
import { Agent, get } from "node:http";
import { connect } from "node:net";
import { setImmediate } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { diskFiles } from "../../src/entrypoints/library/files.ts";
import { hostScenario } from "../../src/entrypoints/library/host-scenario.ts";
import { withoutOrigin } from "../../src/foundation/http/request-target.ts";
import { CountedLimits } from "../../src/foundation/limits/counted-limits.ts";
import type { LimitValues } from "../../src/foundation/limits/limits.ts";
import { loadScenario } from "../../src/scenarios/files/load-scenario.ts";
import { loopbackAccess } from "../../src/stub/control/access.ts";
import { withControl } from "../../src/stub/control/control.ts";
import type { Hosting } from "../../src/stub/hosting/hosting.ts";
import { Inspection } from "../../src/stub/inspection/inspection.ts";
import { type RunningServer, startServer } from "../../src/transport/server/http-server.ts";
import type { FuzzKind, FuzzOptions, FuzzTarget } from "./_fuzz-kind.ts";
import { drawInput, drawUpgrades, oneOf } from "./_http-faults.ts";
import { requestNearLimit } from "./_http-near-limits.ts";
import { relayWith } from "./_planted.ts";
import { responsesIn } from "./_raw-responses.ts";
import { strictRequestsIn } from "./_strict-requests.ts";

/** Bytes over a socket that are almost HTTP, to a server over worlds as `serve` has it. */
export const KIND: FuzzKind = { name: "http", open };

/** What the server and the worlds behind it may respond to requests that are wrong in some way. */
const documented: ReadonlySet<number> = new Set([
  200, 201, 204, 400, 401, 403, 404, 405, 406, 408, 409, 413, 414, 415, 417, 431, 501, 503, 505,
]);

/** Limits of bodies and heads that inputs reach within milliseconds. */
const nearbyLimits = { bodyBytesMax: 128 * 1024, headBytesMax: 16_384, headersMax: 100, targetBytesMax: 8192 } as const;

/** Share of inputs close to a limit, which take longer than others. Half as many ask for another protocol. */
const largeShareDefault = 0.01;

/** What an unfinished body may hold: its buffer, which doubles when it is full, with what the sockets hold. */
const heldBytesMax = 8 * 1024 * 1024 + 4 * nearbyLimits.bodyBytesMax;

const slownessMs = { head: 100, request: 200 };

/** Characters of an input that a finding shows. */
const inputLengthMax = 4000;

/** No connection stays open longer once its client has sent everything. */
const hangMs = 5000;

/** A client that waits for a server to give up waits no longer, since a connection without a request may stay open. */
const waitMs = 800;

async function open({ fault, largeShare = largeShareDefault }: FuzzOptions = {}): Promise<FuzzTarget> {
  const served = await serve({ headTimeoutMs: slownessMs.head, requestTimeoutMs: slownessMs.request });
  // Large requests take longer on a busy machine.
  const direct = await serve({});
  const relay = fault === undefined ? undefined : await relayWith(fault, direct.port);
  const patient = relay === undefined ? direct : { ...direct, port: relay.port };
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let inputs = 0;
  return {
    attempt: async (random) => {
      inputs += 1;
      if (inputs % 500 === 0) for (const { hosting } of [served, patient]) tidy(hosting);
      const drawn = random();
      if (drawn < largeShare) return attemptNearLimit(patient, agent, random);
      return drawn < 1.5 * largeShare
        ? attempt(patient, agent, random, drawUpgrades(random))
        : attempt(served, agent, random);
    },
    close: async () => {
      agent.destroy();
      relay?.server.close();
      for (const each of [served, patient]) await close(each);
    },
  };
}

async function close({ server, limits }: Served): Promise<void> {
  await server.close();
  // The last sockets say that they are closed after the server does.
  await setImmediate();
  await setImmediate();
  const open = limits.report().limits.find(({ name }) => name === "connectionsMax")?.inUse;
  if (open !== 0) throw new Error(`${open} connections are left open`);
}

interface Served {
  readonly hosting: Hosting;
  readonly limits: CountedLimits;
  readonly server: RunningServer;
  readonly port: number;
  readonly faults: unknown[];
}

async function serve(timeouts: Partial<LimitValues>): Promise<Served> {
  const file = fileURLToPath(new URL("../../scenarios/quickstart.arazzo.yaml", import.meta.url));
  const loaded = loadScenario(file, diskFiles);
  if (loaded.type === "invalid") throw new Error(JSON.stringify(loaded.problems));
  const limits = new CountedLimits({
    ...nearbyLimits,
    worldsMax: 20,
    journalExchangesMax: 50,
    ...timeouts,
  });
  const hosting = hostScenario(loaded.scenario, { wallNowMs: () => 0, limits });
  const inspection = new Inspection({
    source: hosting,
    access: loopbackAccess,
    page: new Map(),
    limits,
    later: (run) => run(),
    inner: withControl(hosting, loopbackAccess),
  });
  const faults: unknown[] = [];
  const server = await startServer({
    handler: inspection.handler,
    host: "127.0.0.1",
    port: 0,
    isCorsAllowed: false,
    limits,
    closeGraceMs: 1000,
    onFault: (fault) => faults.push(fault),
  });
  return { hosting, limits, server, port: Number(new URL(server.url).port), faults };
}

function tidy(hosting: Hosting): void {
  for (const id of [...hosting.worlds.keys()]) hosting.remove(id);
  const hosted = hosting.worlds.get("default");
  hosted?.world.reset();
  hosted?.journal.clear();
}

/** How the client behaves once it has sent all: most let the server end, some go away, few wait for what never comes. A client that stays waits for the server to end. */
type Ending = "half-close" | "leave" | "stay" | "wait";

async function attempt(
  served: Served,
  agent: Agent,
  random: () => number,
  upgrades?: string,
): Promise<string | undefined> {
  const input = upgrades ?? drawInput(random);
  const ending: Ending =
    upgrades !== undefined
      ? oneOf(["stay", "half-close"], random)
      : random() < 0.002
        ? "wait"
        : random() < 0.1
          ? "leave"
          : "half-close";
  const before = seen(served.hosting);
  const sent = await send(served.port, piecesOf(input, random), ending);
  // What a client sent that has gone away may still be on its way.
  const isOver = await isClosed(served);
  const problem =
    sent === undefined || !isOver
      ? `a connection is open after ${hangMs} ms`
      : (problemOf(served, input, { output: sent, ending }, before) ??
        (upgrades === undefined ? undefined : lossProblem(input, sent)));
  const found = problem ?? (await problemAfter(served, agent));
  return found === undefined ? undefined : shown(found, ending, input, sent);
}

function shown(found: string, ending: string, input: string, output: string | undefined): string {
  const text = JSON.stringify(input.slice(0, inputLengthMax));
  const more = input.length > inputLengthMax ? ` (${input.length} bytes)` : "";
  return `${found}\n  input, then ${ending}: ${text}${more}\n  output: ${JSON.stringify(output?.slice(0, 1000))}`;
}

/** A well-formed request gets the response of its size, and holds no more memory than its body while it is unfinished. */
async function attemptNearLimit(served: Served, agent: Agent, random: () => number): Promise<string | undefined> {
  const { text, bodyBytes } = requestNearLimit(random, nearbyLimits);
  const before = seen(served.hosting);
  const heldBefore = heldBytes();
  let held = 0;
  const sent = await send(served.port, [text.slice(0, -1), text.slice(-1)], "half-close", async () => {
    for (let turn = 0; turn < turnsMax; turn += 1) await setImmediate();
    held = heldBytes() - heldBefore;
  });
  const isOver = await isClosed(served);
  const problem =
    sent === undefined || !isOver
      ? `a connection is open after ${hangMs} ms`
      : (problemOf(served, text, { output: sent, ending: "half-close" }, before) ?? sizeProblem(sent, bodyBytes));
  const large = held > heldBytesMax ? `an unfinished request holds more than ${heldBytesMax} bytes` : undefined;
  const found = problem ?? large ?? (await problemAfter(served, agent));
  return found === undefined ? undefined : shown(found, "half-close", text, sent);
}

/** Each of several well-formed requests gets a response. */
function lossProblem(input: string, output: string): string | undefined {
  const responses = responsesIn(output, false);
  const { requests } = strictRequestsIn(input);
  return responses.length === requests.length
    ? undefined
    : `${responses.length} responses to ${requests.length} well-formed requests`;
}

function sizeProblem(output: string, bodyBytes: number): string | undefined {
  const isRefused = output.startsWith("HTTP/1.1 413 ");
  if (isRefused === bodyBytes > nearbyLimits.bodyBytesMax) return undefined;
  return isRefused ? "a body within the limit is refused" : "a body beyond the limit is accepted";
}

/** Turns of the event loop in which the server reads what its sockets hold. */
const turnsMax = 50;

/** Bytes that are in use after garbage collection. */
function heldBytes(): number {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function piecesOf(input: string, random: () => number): readonly string[] {
  const count = oneOf([1, 1, 1, 2, 3, 5], random);
  const cuts = Array.from({ length: count - 1 }, () => Math.floor(random() * input.length)).sort((a, b) => a - b);
  return [0, ...cuts].map((from, index) => input.slice(from, cuts[index] ?? input.length));
}

/** The response text until the connection closes; undefined if it stays open. */
async function send(
  port: number,
  pieces: readonly string[],
  ending: Ending,
  beforeLast?: () => Promise<void>,
): Promise<string | undefined> {
  const socket = connect({ port, host: "127.0.0.1", noDelay: true, allowHalfOpen: true });
  const closed = new Promise<boolean>((resolve) => {
    socket.once("close", () => resolve(true));
    socket.setTimeout(ending === "wait" ? waitMs : hangMs, () => {
      resolve(ending === "wait");
      socket.destroy();
    });
  });
  let output = "";
  socket.setEncoding("latin1");
  socket.on("data", (chunk) => {
    output += String(chunk);
    // A stream of events has no end.
    if (output.includes("text/event-stream")) socket.destroy();
  });
  socket.on("error", () => socket.destroy());
  socket.once("end", () => socket.end());
  await Promise.race([once(socket, "connect"), closed]);
  for (const [index, piece] of pieces.entries()) {
    if (index > 0 && index === pieces.length - 1) await beforeLast?.();
    socket.write(piece, "latin1");
    if (pieces.length > 1) await setImmediate();
  }
  if (ending === "half-close") socket.end();
  if (ending === "leave") socket.destroy();
  return (await closed) ? output : undefined;
}

/** Whether the server holds no connection open but that of the good requests. */
async function isClosed({ limits }: Served): Promise<boolean> {
  const deadlineMs = performance.now() + hangMs;
  const open = () => limits.report().limits.find(({ name }) => name === "connectionsMax")?.inUse ?? 0;
  while (open() > 1 && performance.now() < deadlineMs) await setImmediate();
  return open() <= 1;
}

/** The state that an invalid request must not change, compared by identity. */
function seen({ worlds }: Hosting) {
  const hosted = worlds.get("default");
  const { ledger, registry, nowMs } = hosted?.world.state ?? {};
  return {
    ledger,
    registry,
    nowMs,
    last: hosted?.journal.last ?? 0,
    epoch: hosted?.journal.epoch,
    worlds: worlds.size,
  };
}

function problemOf(
  { hosting, faults }: Served,
  input: string,
  { output, ending }: { readonly output: string; readonly ending: Ending },
  before: ReturnType<typeof seen>,
): string | undefined {
  if (faults.length > 0) return `a fault of ours: ${String(faults.splice(0)[0])}`;
  const responses = responsesIn(output, ending === "leave");
  if (typeof responses === "string") return responses;
  const strict = strictRequestsIn(input);
  if (responses.length > strict.responsesMax)
    return `${responses.length} responses, the limit is ${strict.responsesMax}`;
  if (ending === "wait" && responses.length === 0 && strict.responsesMax > 0) return "no response to a waiting client";
  const odd = responses.find(
    ({ status, body }) => !documented.has(status) || (status >= 400 && status !== 406 && body === ""),
  );
  if (odd !== undefined) return `status ${odd.status} with ${JSON.stringify(odd.body)}`;
  const requested = new Set(strict.requests.map(({ target }) => withoutOrigin(target)));
  const { journal } = hosting.worlds.get("default") ?? {};
  const strange = journal?.after(before.last, 100).find(({ entry }) => !requested.has(entry.request.target));
  if (strange !== undefined && journal?.epoch === before.epoch)
    return `an unexpected request in the journal: ${strange.entry.request.method} ${strange.entry.request.target}`;
  if (strict.requests.some(({ method }) => method !== "GET")) return undefined;
  const after = seen(hosting);
  const isSame = after.ledger === before.ledger && after.registry === before.registry && after.nowMs === before.nowMs;
  return isSame && after.worlds === before.worlds ? undefined : "the world has changed";
}

/** Whether the server still responds. */
async function problemAfter({ port, faults }: Served, agent: Agent): Promise<string | undefined> {
  const status = await new Promise<number | string>((resolve) => {
    get({ port, path: "/v2/version", headers: { Authorization: "Bearer any" }, agent, timeout: hangMs }, (response) => {
      response.resume().once("end", () => resolve(response.statusCode ?? 0));
    })
      .once("error", (error) => resolve(error.message))
      .once("timeout", () => resolve("no response"));
  });
  if (status !== 200) return `afterwards a valid request got ${status}`;
  return faults.length === 0 ? undefined : `a fault of ours: ${String(faults.splice(0)[0])}`;
}
