import { createHash, type Hash } from "node:crypto";
import { ClientChecker } from "../../src/checker/engine/client-checker.ts";
import { hostScenario } from "../../src/entrypoints/library/host-scenario.ts";
import { Body, emptyBody } from "../../src/foundation/http/body.ts";
import type { HandlerResponse, ServedHandler } from "../../src/foundation/http/handler.ts";
import type { Request } from "../../src/foundation/http/request.ts";
import { CountedLimits } from "../../src/foundation/limits/counted-limits.ts";
import { clockModeOf } from "../../src/scenarios/files/load-scenario.ts";
import type { LedgerState } from "../../src/simulator/ledger/ledger-state.ts";
import type { RegistryState } from "../../src/simulator/registry/registry-state.ts";
import { firstParticipant } from "../../src/simulator/world/participants.ts";
import { accessBy } from "../../src/stub/control/access.ts";
import { withControl } from "../../src/stub/control/control.ts";
import type { HostedWorld } from "../../src/stub/hosting/hosted-world.ts";
import type { Hosting } from "../../src/stub/hosting/hosting.ts";
import { addressed } from "../../src/stub/hosting/world-id.ts";
import { Inspection } from "../../src/stub/inspection/inspection.ts";
import type { FailedResponse } from "./_broken.ts";
import { Memory, requestFor } from "./_calls.ts";
import type { Beginning, Call, Clock, ManglingName, WorldCall } from "./_event.ts";
import { Insight } from "./_known.ts";
import { hadPlannedChange, type Met, plannedResponse } from "./_met.ts";
import { SimulatedTime } from "./_simulated-time.ts";
import { namesOfProfile, type Stock } from "./_stock.ts";
import { tokensFor, tokenVerifier } from "./_tokens.ts";
import { effectsBetween } from "./_transition.ts";
import { type Act, WatchedWorld } from "./_watched-world.ts";
import { digestOf, StateInvariants } from "./_world-state.ts";
import type { Tokens } from "./steps/_request-of.ts";

/** A fault that is planted on purpose, to see whether it is found. */
export interface Planted {
  /** Called with each new world. */
  readonly onWorld?: (hosted: HostedWorld, id: string) => void;
  readonly handler?: (inner: ServedHandler, hosting: Hosting) => ServedHandler;
}

const host = "127.0.0.1";

/** A stub as `serve` runs it, in simulated time, with a model of its expected state. */
export class Simulation {
  readonly time: SimulatedTime = new SimulatedTime();
  readonly stock: Stock;
  readonly beginning: Beginning;
  hosting: Hosting;
  requests = 0;
  readonly #planted: Planted;
  readonly #tokens: Tokens;
  readonly #memory = new Memory();
  readonly #insight: Insight;
  readonly #digest: Hash = createHash("sha1");
  readonly #invariants = new StateInvariants();
  readonly #verifyToken = tokenVerifier();
  /** States that were compared completely, with their digests: nothing may change in them. */
  readonly #kept = new Map<LedgerState | RegistryState, string>();
  #handler: ServedHandler = () => ({ type: "broken", kind: "reset" });
  #inspection: Inspection | undefined;
  #worlds = new Map<number, string>();
  #watched = new Map<string, WatchedWorld>();
  #touched = new Set<string>();
  #broken: FailedResponse[] = [];

  static async open(beginning: Beginning, stock: Stock, planted: Planted = {}): Promise<Simulation> {
    const plain = stock.names(beginning).users[0] ?? "unknown";
    return new Simulation({ beginning, stock, planted, tokens: await tokensFor(beginning.authentication, plain) });
  }

  private constructor({ beginning, stock, planted, tokens }: Opening) {
    this.beginning = beginning;
    this.stock = stock;
    this.#planted = planted;
    this.#tokens = tokens;
    this.#insight = new Insight(beginning.authentication);
    this.hosting = this.host(beginning.clock);
    this.#serve();
  }

  get watched(): ReadonlyMap<string, WatchedWorld> {
    return this.#watched;
  }

  /** Another stub of the same beginning. */
  host(clock: Clock): Hosting {
    const { journalMax, profile, authentication } = this.beginning;
    const spec = this.stock.spec(profile);
    return hostScenario(this.stock.scenario(this.beginning), {
      profile: namesOfProfile(profile),
      auth: authentication,
      ...(authentication === "jwt" ? { verifyToken: this.#verifyToken } : {}),
      clockMode: clockModeOf(clock),
      limits: new CountedLimits({ journalExchangesMax: journalMax, journalBytesMax: journalMax * bytesPerExchange }),
      wallNowMs: () => this.time.nowMs,
      steadyNowMs: () => this.time.steadyNowMs,
      sleep: (durationMs) => this.time.sleep(durationMs),
      later: (run) => run(),
      createClientRules: (_, { isWhole }) =>
        new ClientChecker({ spec, order: "one-by-one", isWhole, isOneWorld: true }),
      sharedStubs: this.stock.stubs(this.beginning),
    });
  }

  /** Starts over, as a stub does whose files changed. */
  async reload(clock: Clock): Promise<void> {
    await this.time.wakeAll();
    this.hosting.close();
    this.#inspection?.close();
    this.hosting = this.host(clock);
    this.#serve();
  }

  close(): void {
    this.#inspection?.close();
  }

  #serve(): void {
    const access = accessBy(host);
    const inner = withControl(this.hosting, access);
    const later = (run: () => void) => run();
    this.#inspection = new Inspection({ source: this.hosting, access, page: new Map(), later, inner });
    this.#handler = this.#planted.handler?.(this.#inspection.handler, this.hosting) ?? this.#inspection.handler;
    this.#worlds = new Map();
    this.#watched = new Map();
    this.watch(0, "default", []);
  }

  /** Watches a world from now on. */
  watch(fork: number, id: string, begun: readonly Act[]): void {
    const hosted = this.hosting.worlds.get(id);
    if (hosted === undefined) {
      this.breaks("fork", `the world ${id} is not there`);
      return;
    }
    this.#planted.onWorld?.(hosted, id);
    this.#worlds.set(fork, id);
    this.#watched.set(id, new WatchedWorld(hosted, this.stock.spec(this.beginning.profile), begun));
  }

  forget(id: string): void {
    this.#watched.delete(id);
  }

  /** The world of a fork, or the default one where that is gone, so that a walk can be made shorter. */
  worldOf(fork: number): WatchedWorld {
    const found = this.#watched.get(this.idOf(fork));
    if (found === undefined) throw new Error("invariant: the default world is always there");
    return found;
  }

  idOf(fork: number): string {
    const id = this.#worlds.get(fork) ?? "default";
    return this.#watched.has(id) ? id : "default";
  }

  touch(id: string): void {
    this.#touched.add(id);
  }

  breaks(invariant: string, what: string): void {
    this.#broken.push({ invariant, what });
  }

  /** The invariants broken since the last call. */
  broken(): readonly FailedResponse[] {
    const found: FailedResponse[] = this.#broken;
    for (const [id, watched] of this.#watched)
      for (const { invariant, what } of watched.problems(this.#invariants, this.#touched.has(id)))
        found.push({ invariant, what: `${what} (${id})` });
    const missing = [...this.#watched.keys()].filter((id) => !this.hosting.worlds.has(id));
    for (const id of missing) found.push({ invariant: "worlds", what: `the world ${id} is missing` });
    // Further participants of a world have an id of their own.
    const worlds = [...this.hosting.worlds.values()].filter(({ participant }) => participant === firstParticipant);
    if (worlds.length > this.#watched.size)
      found.push({ invariant: "worlds", what: "a world was created without a request" });
    this.#broken = [];
    this.#touched = new Set();
    return found;
  }

  /** A client rule never fails itself. */
  checkClientRules({ hosted: { clientRules } }: WatchedWorld): void {
    for (const { rule, problem } of clientRules?.report().faults ?? []) this.breaks(`client rule ${rule}`, problem);
  }

  /** Looks through all states whole: those that were looked at before must say the same. */
  lookThrough(): void {
    for (const [part, said] of this.#kept)
      if (digestOf(part) !== said) this.breaks("states", "a past state has changed");
    for (const { state } of this.#watched.values())
      for (const part of [state.ledger, state.registry])
        if (!this.#kept.has(part)) this.#kept.set(part, digestOf(part));
  }

  /** A digest of all responses, in order. */
  digest(): string {
    return this.#digest.copy().digest("hex");
  }

  /** Sends a request to the control API or the inspection API, as the inspector does. */
  async control(method: string, path: string, body = ""): Promise<HandlerResponse> {
    const headers = [["Host", host]] as const;
    const response = await this.#handler({ method, target: path, headers, body: new Body(body) });
    return response.type === "events" ? { type: "broken", kind: "unexplained" } : response;
  }

  /** Listens to the event stream during a call; returns the events as text. */
  async events(during: () => void): Promise<string> {
    const headers = [["Host", host]] as const;
    const request = { method: "GET", target: "/__understudy/events", headers, body: emptyBody };
    const response = await this.#handler(request);
    if (response.type !== "events") return "";
    let received = "";
    const stop = response.open({ send: (text) => (received += text), end: () => undefined });
    during();
    stop();
    return received;
  }

  /** Sends a request and waits for its response. Returns undefined if the request took effect and its response is delayed. */
  async send({ world, call }: WorldCall): Promise<HandlerResponse | undefined> {
    this.requests += 1;
    this.time.nowMs += 1;
    const request = requestFor(call, this.idOf(world), this.#memory, this.#tokens);
    const { id, inner } = addressed(request);
    const watched = request.target.startsWith("/__understudy/") ? undefined : this.#watched.get(id);
    if (watched === undefined) {
      const response = await this.#request(request);
      this.#responded(call, response);
      return response;
    }
    this.touch(id);
    const { epoch } = watched;
    const before = watched.state;
    const act: Act = { type: "request", nowMs: before.nowMs, request: inner, response: undefined, entry: undefined };
    watched.acts.push(act);
    const sent: Sent = { response: undefined, onResponse: () => undefined };
    await this.time.untilAsleep(async () => {
      sent.response = await this.#request(request);
      sent.onResponse(sent.response);
    });
    const after = watched.state;
    const known = this.#insight.knownOf(call, inner, after);
    const planned = plannedResponse(before, after);
    const isOutlandish = call.mangled.some(({ how }) => outlandish.has(how));
    const isMangled = call.mangled.length > 0;
    const { nowMs } = after;
    const met: Met = {
      request: inner,
      known,
      planned,
      isOutlandish,
      isMangled,
      nowMs,
      response: undefined,
      before,
      after,
    };
    watched.meets(met);
    const finish = (response: HandlerResponse) => {
      act.response = response;
      met.response = response;
      if (watched.epoch === epoch) act.entry = watched.responded(response);
      this.#responded(call, response);
      this.#checkEffects(met, response);
    };
    if (sent.response === undefined) sent.onResponse = finish;
    else finish(sent.response);
    return sent.response;
  }

  async #request(request: Request): Promise<HandlerResponse> {
    try {
      const response = await this.#handler(request);
      if (response.type !== "events") return response;
      this.breaks("responses", `${request.target} gets events`);
    } catch (error) {
      this.breaks("no handler throws", error instanceof Error ? (error.stack ?? error.message) : String(error));
    }
    return { type: "broken", kind: "unexplained" };
  }

  #responded({ step }: Call, response: HandlerResponse): void {
    this.#memory.note(step.operationId, response);
    this.#digest.update(responseText(response));
  }

  /** What was refused, and what only looks, changes nothing; and a fault of ours is no response. */
  #checkEffects(met: Met, response: HandlerResponse): void {
    const { before, after, planned, request } = met;
    const status = response.type === "response" ? response.status : 0;
    if (planned === "no" && status === 500) this.breaks("no fault of ours", `${request.method} ${request.target}: 500`);
    const isIdle = planned === "no" ? status >= 400 || request.method === "GET" : planned === "instead";
    if (!isIdle || hadPlannedChange(before, after)) return;
    for (const problem of effectsBetween(before, after))
      this.breaks("no effect", `${request.method} ${request.target} got ${status}, and ${problem}`);
  }
}

const outlandish: ReadonlySet<ManglingName> = new Set(["method", "path", "target", "media-type", "accept", "header"]);

interface Opening {
  readonly beginning: Beginning;
  readonly stock: Stock;
  readonly planted: Planted;
  readonly tokens: Tokens;
}

/** A request on its way. */
interface Sent {
  response: HandlerResponse | undefined;
  onResponse: (response: HandlerResponse) => void;
}

const bytesPerExchange = 8192;

/** All that a client gets to see of a response. */
export function responseText(response: HandlerResponse): string {
  if (response.type === "broken")
    return `${response.kind} ${response.partial === undefined ? "" : response.partial.body.bytes().join()}\n`;
  return `${response.status} ${JSON.stringify(response.headers)} ${response.body.text()}\n`;
}
