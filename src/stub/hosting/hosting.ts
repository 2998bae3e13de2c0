import type { ClientRulesWatch } from "../../checker/client-rules/client-finding.ts";
import type { Handler, HandlerResponse } from "../../foundation/http/handler.ts";
import { headerValues } from "../../foundation/http/header.ts";
import { type Request, withTarget } from "../../foundation/http/request.ts";
import { type Response, textResponse } from "../../foundation/http/response.ts";
import { CountedLimits } from "../../foundation/limits/counted-limits.ts";
import type { ProfileNames, Spec } from "../../foundation/spec/spec.ts";
import type { World } from "../../simulator/world/world.ts";
import type { WorldState } from "../../simulator/world/world-state.ts";
import { Journal, type JournalLimits } from "../journal/journal.ts";
import { bearerToken } from "../pipeline/bearer-token.ts";
import type { AuthenticationMode } from "../pipeline/claims.ts";
import { createStubs, type Stub, type StubResponse, stubSpec } from "../pipeline/stub.ts";
import type { VerifiedToken, VerifyToken } from "../tokens/verify-token.ts";
import { Timestamps } from "./timestamps.ts";
import { WorldClientRules } from "./world-client-rules.ts";

export interface HostingOptions {
  /** What is served, by the id of its workflow. */
  readonly scenario: string;
  readonly world: World;
  readonly profile: ProfileNames;
  readonly authentication: AuthenticationMode;
  /** Verifies tokens in mode `jwt`. */
  readonly verifyToken?: VerifyToken | undefined;
  /** Answers what the stub knows no path for; undefined where it does not either. */
  readonly fallback?: ((request: Request) => Promise<Response | undefined>) | undefined;
  /** Whether signatures are verified with the keys of their parties. */
  readonly areSignaturesVerified: boolean;
  /** Whether the operations outside the spec are served as well. */
  readonly hasAdditionalOperations: boolean;
  readonly wallNowMs: () => number;
  /** Waits in wall time, for the delays of a plan. */
  readonly sleep: (durationMs: number) => Promise<void>;
  /** How much there may be of everything, and where what goes beyond is counted; by default where it is left out. */
  readonly limits?: CountedLimits | undefined;
  /** Runs what nobody waits for when the responses that are due are on their way. */
  readonly later: (run: () => void) => void;
  /** What the ids of forks begin with; `fork` where it is left out. */
  readonly forkPrefix?: string | undefined;
  /** Makes what watches the conduct of a world's consumer; left out where nobody wants to know. */
  readonly createClientRules?:
    | ((worldId: string, options: Pick<HostedWorld, "isWhole">) => ClientRulesWatch)
    | undefined;
  /** What is made of the contract, which takes a while, for hostings of the same settings to share; made anew where it is left out. */
  readonly sharedStubs?: SharedStubs | undefined;
}

/** The contract as a hosting's stubs speak it, and what makes them. */
export interface SharedStubs {
  readonly spec: Spec;
  readonly stubOver: (world: World) => Stub;
}

/** The states of a world around an exchange; they share what they have in common. */
export interface PointInTime {
  readonly before: WorldState;
  readonly after: WorldState;
}

export interface HostedWorld {
  readonly world: World;
  readonly journal: Journal<PointInTime>;
  readonly stub: Stub;
  /** Undefined where the conduct of its consumer is not watched. */
  readonly clientRules: WorldClientRules | undefined;
  /** Whether its consumer saw nothing before: it was not forked from a world that had been asked something. */
  readonly isWhole: boolean;
}

export const defaultWorldId = "default";
const forkPrefixDefault = "fork";

/** Many worlds behind one address: the default one at the root, others at `/w/<id>` or by the header `Understudy-World`. */
export class Hosting {
  readonly handler: Handler;
  readonly limits: CountedLimits;
  readonly #options: HostingOptions;
  readonly #journalLimits: JournalLimits;
  readonly #spec: Spec;
  readonly #stubOver: (world: World) => Stub;
  readonly #worlds = new Map<string, HostedWorld>();
  #wholeSpec: Spec | undefined;
  readonly #observers = new Set<(worldId: string) => void>();
  readonly #wallTimestamps = new Timestamps();
  readonly #virtualTimestamps = new Timestamps();
  #forks = 0;

  constructor(options: HostingOptions) {
    this.#options = options;
    this.limits = options.limits ?? new CountedLimits();
    this.#journalLimits = journalLimitsOf(this.limits);
    const { spec, stubOver } = options.sharedStubs ?? stubsOf(options, this.limits);
    this.#spec = spec;
    this.#stubOver = stubOver;
    this.#worlds.set(defaultWorldId, this.#host(defaultWorldId, options.world, true));
    this.handler = (request) => this.#handle(request);
    this.#watchLimits();
  }

  get worlds(): ReadonlyMap<string, HostedWorld> {
    return this.#worlds;
  }

  get authentication(): AuthenticationMode {
    return this.#options.authentication;
  }

  get wallNowMs(): () => number {
    return this.#options.wallNowMs;
  }

  get scenario(): string {
    return this.#options.scenario;
  }

  get profile(): ProfileNames {
    return this.#options.profile;
  }

  /** The contract as it is played, always with the additional operations: what is prepared there is executed here. */
  get wholeSpec(): Spec {
    this.#wholeSpec ??= this.#options.hasAdditionalOperations
      ? this.#spec
      : stubSpec(this.profile, { hasAdditionalOperations: true });
    return this.#wholeSpec;
  }

  /**
   * Forks a world and gives the id of the new one, which begins where the other is, or where that one began.
   * Undefined where the limit is reached or there is no such world.
   */
  fork(id: string, from: "now" | "start" | WorldState = "now"): string | undefined {
    const origin = this.#worlds.get(id);
    if (origin === undefined) return undefined;
    if (this.#worlds.size >= this.limits.values.worldsMax) {
      this.limits.exceed("worldsMax");
      return undefined;
    }
    this.#forks += 1;
    const forkId = `${this.#options.forkPrefix ?? forkPrefixDefault}-${this.#forks}`;
    const isWhole = from === "start" || (origin.isWhole && origin.journal.last === 0);
    this.#worlds.set(forkId, this.#host(forkId, forkOf(origin.world, from), isWhole));
    this.touched(forkId);
    return forkId;
  }

  /** Tells that something happened to a world, from now on until what is given back is called. Observers must not throw. */
  observe(observer: (worldId: string) => void): () => void {
    this.#observers.add(observer);
    return () => this.#observers.delete(observer);
  }

  /** To be called by whoever changes a world by hand. */
  touched(id: string): void {
    for (const observer of this.#observers) observer(id);
  }

  /** Ends all worlds; a request that comes later finds none. */
  close(): void {
    this.#worlds.clear();
  }

  /** Ends a forked world; the default one stays. */
  remove(id: string): boolean {
    const isRemoved = id !== defaultWorldId && this.#worlds.delete(id);
    if (isRemoved) this.touched(id);
    return isRemoved;
  }

  #host(id: string, world: World, isWhole: boolean): HostedWorld {
    const { createClientRules, later } = this.#options;
    const stub = this.#stubOver(world);
    const clientRules =
      createClientRules === undefined
        ? undefined
        : new WorldClientRules(() => createClientRules(id, { isWhole }), later);
    const journal = new Journal<PointInTime>(this.#journalLimits);
    return { world, journal, stub, clientRules, isWhole };
  }

  /** Of the journals the fullest counts, since each has its own bound. */
  #watchLimits(): void {
    const ofFullest = (fullness: (journal: Journal<PointInTime>) => number) => () => {
      let most = 0;
      for (const { journal } of this.#worlds.values()) most = Math.max(most, fullness(journal));
      return most;
    };
    this.limits.watch("worldsMax", () => this.#worlds.size);
    this.limits.watch(
      "journalExchangesMax",
      ofFullest(({ last, dropped }) => last - dropped),
    );
    this.limits.watch(
      "journalBytesMax",
      ofFullest(({ bytes }) => bytes),
    );
  }

  #handle(request: Request): HandlerResponse | Promise<HandlerResponse> {
    const { id, inner } = addressed(request);
    const hosted = this.#worlds.get(id);
    if (hosted === undefined) return unknownWorld(id);
    const arrival = {
      id,
      hosted,
      epoch: hosted.journal.epoch,
      request: inner,
      startedMs: this.#options.wallNowMs(),
      virtualMs: hosted.world.state.nowMs,
    };
    if (this.#options.fallback !== undefined || this.#options.authentication === "jwt")
      return this.#responseLater(arrival);
    return this.#settle(arrival, () => hosted.stub(inner));
  }

  /** Waits for what must be known before the one synchronous step in which a request is answered. */
  async #responseLater(arrival: Arrival): Promise<HandlerResponse> {
    const { request, hosted } = arrival;
    const { made, verified } = await this.#foreknown(arrival).catch((error: unknown) => {
      this.#noteFault(arrival, error, hosted.world.state);
      throw error;
    });
    return this.#settle(arrival, () =>
      made === undefined ? hosted.stub(request, verified) : { response: made, delayMs: 0 },
    );
  }

  async #foreknown({ request, hosted }: Arrival): Promise<Foreknown> {
    const path = request.target.split("?")[0] ?? "";
    const isUnknown = this.#spec.route(request.method, path).type === "unknown";
    const made = isUnknown ? await this.#options.fallback?.(request) : undefined;
    return { made, verified: made === undefined ? await this.#verified(request, hosted) : undefined };
  }

  #settle(arrival: Arrival, step: () => StubResponse): HandlerResponse | Promise<HandlerResponse> {
    const { world } = arrival.hosted;
    const before = world.state;
    const responded = this.#responded(arrival, before, step);
    const pointInTime = { before, after: world.state };
    if (responded.delayMs > 0) return this.#sendLater(arrival, responded, pointInTime);
    this.#note(arrival, responded, pointInTime);
    return responded.response;
  }

  #responded(arrival: Arrival, before: WorldState, step: () => StubResponse): StubResponse {
    try {
      return step();
    } catch (error) {
      this.#noteFault(arrival, error, before);
      throw error;
    }
  }

  async #sendLater(arrival: Arrival, responded: StubResponse, pointInTime: PointInTime): Promise<HandlerResponse> {
    await this.#options.sleep(responded.delayMs);
    this.#note(arrival, responded, pointInTime);
    return responded.response;
  }

  async #verified(request: Request, { world }: HostedWorld): Promise<VerifiedToken | undefined> {
    const { authentication, verifyToken } = this.#options;
    if (authentication !== "jwt") return undefined;
    const token = bearerToken(request.headers);
    return token.type === "token" ? verifyToken?.(token.token, world.state.nowMs) : undefined;
  }

  /** A response that comes after a reset is none of the world that began then. */
  #note(
    { id, hosted, epoch, request, startedMs, virtualMs }: Arrival,
    responded: StubResponse,
    pointInTime: PointInTime,
  ): void {
    if (hosted.journal.epoch !== epoch) return;
    const { response, operationId, unexpected } = responded;
    const entry = {
      startedAt: this.#wallTimestamps.of(startedMs),
      // The machine's clock may have been set back meanwhile.
      durationMs: Math.max(0, this.#options.wallNowMs() - startedMs),
      request,
      response,
      virtualAt: this.#virtualTimestamps.of(virtualMs),
      operationId,
      unexpected,
    };
    hosted.journal.add(entry, pointInTime);
    hosted.clientRules?.add(entry, responded.readBefore ?? nothingRead);
    this.touched(id);
  }

  /** A fault of ours is in the journal too: what was asked is what one needs to find it. */
  #noteFault(arrival: Arrival, error: unknown, before: WorldState): void {
    const response = textResponse(500, "text/plain; charset=UTF-8", String(error));
    this.#note(arrival, { response, delayMs: 0 }, { before, after: arrival.hosted.world.state });
  }
}

function stubsOf(options: HostingOptions, limits: CountedLimits): SharedStubs {
  const spec = stubSpec(options.profile, options);
  return { spec, stubOver: createStubs({ ...options, spec, limits }) };
}

const nothingRead = {};

function journalLimitsOf(limits: CountedLimits): JournalLimits {
  return {
    exchangesMax: limits.values.journalExchangesMax,
    bytesMax: limits.values.journalBytesMax,
    onDropped: (tooMuch) => limits.exceed(tooMuch === "bytes" ? "journalBytesMax" : "journalExchangesMax"),
  };
}

/** What another handler responds, and what the request's token says. */
interface Foreknown {
  readonly made: Response | undefined;
  readonly verified: VerifiedToken | undefined;
}

/** A request that has come, in milliseconds since the epoch of wall and of virtual time. */
interface Arrival {
  readonly id: string;
  readonly hosted: HostedWorld;
  /** Of its journal. */
  readonly epoch: number;
  readonly request: Request;
  readonly startedMs: number;
  readonly virtualMs: number;
}

function forkOf(world: World, from: "now" | "start" | WorldState): World {
  if (from === "now") return world.fork();
  return from === "start" ? world.fresh() : world.forkAt(from);
}

/** The world that a request is for, and the request as that world meets it. */
export function addressed(request: Request): { readonly id: string; readonly inner: Request } {
  const byPath = request.target.startsWith("/w/") ? /^\/w\/([^/?]+)(\/.*)$/.exec(request.target) : null;
  if (byPath !== null) return { id: byPath[1] ?? "", inner: withTarget(request, byPath[2] ?? "/") };
  return { id: headerValues(request.headers, "understudy-world")[0] ?? defaultWorldId, inner: request };
}

function unknownWorld(id: string): Response {
  return textResponse(
    404,
    "text/plain; charset=UTF-8",
    `There is no world ${JSON.stringify(id)}. GET /__understudy/worlds lists those that there are.`,
  );
}
