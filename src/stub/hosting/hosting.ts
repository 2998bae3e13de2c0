import type { ConsumerCoverage } from "../../checker/engine/consumer-coverage.ts";
import type { Handler, HandlerResponse, RequestContext } from "../../foundation/http/handler.ts";
import type { RenderRefusal } from "../../foundation/http/refused-request.ts";
import type { Request } from "../../foundation/http/request.ts";
import { type Response, textResponse } from "../../foundation/http/response.ts";
import { CountedLimits } from "../../foundation/limits/counted-limits.ts";
import { type ProfileNames, releaseOf, type Spec } from "../../foundation/spec/spec.ts";
import { firstParticipant } from "../../simulator/world/participants.ts";
import type { World } from "../../simulator/world/world.ts";
import type { WorldState } from "../../simulator/world/world-state.ts";
import { Journal, type JournalLimits } from "../journal/journal.ts";
import { createTokenReaders, type ReadToken } from "../pipeline/bearer-token.ts";
import type { AuthenticationMode } from "../pipeline/claims.ts";
import { renderRefusal } from "../pipeline/render-refusal.ts";
import { type StubResponse, stubSpec } from "../pipeline/stub.ts";
import type { ArchivedWorld, ReadArchive } from "../stores/world-archive.ts";
import type { WorldKeeper } from "../stores/world-keeper.ts";
import type { VerifiedToken } from "../tokens/verify-token.ts";
import type { Arrival } from "./arrival.ts";
import { Expiries } from "./expiries.ts";
import { forkOf } from "./fork-of.ts";
import type { HostedWorld, StatesAround } from "./hosted-world.ts";
import { HostingCounts } from "./hosting-counts.ts";
import type { HostingOptions, SharedStubs } from "./hosting-options.ts";
import { KeptWorlds } from "./kept-worlds.ts";
import type { LabelQuotas } from "./label-quotas.ts";
import { stubsOf } from "./stubs-of.ts";
import { Timestamps } from "./timestamps.ts";
import { journalLimitsOf, watchLimits } from "./watch-limits.ts";
import { WorldClientRules } from "./world-client-rules.ts";
import { noDetails, type WorldDetails } from "./world-details.ts";
import { worldGate } from "./world-gate.ts";
import { addressed, defaultWorldId, idOf, unknownWorld } from "./world-id.ts";

/** Serves many worlds at one address: the default world at the root, others under `/w/<id>` or by the header `Understudy-World`. */
export class Hosting {
  readonly handler: Handler;
  /** Renders a refusal of the server in front of the handler like an error of the addressed operation. */
  readonly renderRefusal: RenderRefusal;
  readonly limits: CountedLimits;
  readonly coverage: ConsumerCoverage | undefined;
  readonly counts: HostingCounts = new HostingCounts();
  /** The worlds of the store; undefined if worlds are in memory alone. */
  readonly kept: KeptWorlds | undefined;
  readonly wallNowMs: () => number;
  /** Milliseconds since the epoch by a clock that is never set. */
  readonly steadyNowMs: () => number;
  readonly #options: HostingOptions;
  readonly #journalLimits: JournalLimits;
  readonly #shared: SharedStubs;
  readonly #readToken: ReadToken;
  readonly #worlds = new Map<string, HostedWorld>();
  #wholeSpec: Spec | undefined;
  readonly #observers = new Set<(worldId: string) => void>();
  readonly #wallTimestamps = new Timestamps();
  readonly #virtualTimestamps = new Timestamps();
  readonly #closing = new AbortController();
  readonly #expiries: Expiries;

  constructor(options: HostingOptions) {
    this.#options = options;
    this.wallNowMs = options.wallNowMs;
    this.steadyNowMs = options.steadyNowMs ?? options.wallNowMs;
    this.#expiries = new Expiries(this.steadyNowMs);
    this.coverage = options.coverage;
    this.limits = options.limits ?? new CountedLimits();
    this.#journalLimits = journalLimitsOf(this.limits);
    this.#shared = options.sharedStubs ?? stubsOf(options, this.limits);
    this.#readToken = createTokenReaders(releaseOf(options.profile.ledger).behaviour).anywhere;
    this.kept = options.keeper === undefined ? undefined : this.#keptWorlds(options.keeper);
    if (this.kept === undefined) this.#host(defaultWorldId, options.world, () => true, noDetails);
    this.handler = (request, context) => this.#handle(request, context);
    this.renderRefusal = (refused) =>
      renderRefusal(this.#shared.spec, { ...refused, target: addressed(refused).inner.target });
    watchLimits(this.limits, this.#worlds);
  }

  /** The worlds of this process that have not expired. */
  get worlds(): ReadonlyMap<string, HostedWorld> {
    for (const first of this.#expiries.expired(this.#worlds)) this.#drop(first);
    return this.#worlds;
  }

  /** Undefined if no label has a quota. */
  get quotas(): LabelQuotas | undefined {
    return this.#options.quotas;
  }

  get auth(): AuthenticationMode {
    return this.#options.auth;
  }

  get scenario(): string {
    return this.#options.scenario;
  }

  get profile(): ProfileNames {
    return this.#options.profile;
  }

  /** The served spec, always with the additional operations. */
  get wholeSpec(): Spec {
    this.#wholeSpec ??= this.#options.hasAdditionalOperations
      ? this.#shared.spec
      : stubSpec(this.profile, { hasAdditionalOperations: true });
    return this.#wholeSpec;
  }

  /**
   * Forks a world with all its participants, and returns the id of the fork for the same participant. The fork starts from the current state, the start, or a given state.
   * It has the labels of its origin unless others are given. Undefined if the limit of worlds is reached or the world does not exist.
   */
  fork(
    id: string,
    from: "now" | "start" | WorldState = "now",
    details: Partial<WorldDetails> = {},
  ): string | undefined {
    const origin = this.worlds.get(id);
    if (origin === undefined) return undefined;
    const { labels, sources } = origin;
    const siblings = this.#siblings(origin);
    const forkId = this.#newId(siblings.length);
    if (forkId === undefined) return undefined;
    const isWhole = (participant: string) =>
      from === "start" ||
      siblings.some((each) => each.participant === participant && each.isWhole && each.journal.last === 0);
    this.#host(forkId, forkOf(origin.world, from), isWhole, { ...noDetails, labels, sources, ...details });
    this.kept?.fork(origin.first, forkId, from);
    this.touched(forkId);
    return idOf(forkId, origin.participant);
  }

  /** Serves a world of an archive and returns its id; undefined if the limit of worlds is reached. */
  adopt({ state, start, labels, sources }: ReadArchive, creator: string | undefined): string | undefined {
    const id = this.#newId(1 + state.participants.size);
    if (id === undefined) return undefined;
    this.#host(id, this.restored({ state, start }), () => false, { ...noDetails, labels, creator, sources });
    this.kept?.adopt(id, start);
    this.touched(id);
    return id;
  }

  /** A world in a state, with the state to which a reset leads; it is not served. */
  restored({ state, start }: Pick<ArchivedWorld, "state" | "start">): World {
    return this.#options.world.restored(state, this.wallNowMs(), start);
  }

  /** The id of a new world with this number of participants; undefined if the limit of worlds is reached. */
  #newId(participants: number): string | undefined {
    // With a store, the worlds that were not used for longest leave the memory.
    if (this.kept === undefined && this.worlds.size + participants > this.limits.values.worldsMax) {
      this.limits.exceed("worldsMax");
      return undefined;
    }
    this.counts.created += 1;
    const { forkPrefix = "fork", newForkId } = this.#options;
    return `${forkPrefix}-${newForkId?.() ?? this.counts.created}`;
  }

  /** Restores the initial state of a world with all its participants, and clears their journals. */
  reset(id: string): void {
    const hosted = this.#worlds.get(id);
    if (hosted === undefined) return;
    hosted.world.reset();
    this.kept?.restart(hosted);
    for (const { journal, clientRules } of this.#siblings(hosted)) {
      journal.clear();
      clientRules?.clear();
    }
    this.changed(id);
  }

  /** The participants of the same world. */
  #siblings({ ids }: HostedWorld): readonly HostedWorld[] {
    return ids.flatMap((id) => this.#worlds.get(id) ?? []);
  }

  /** Adds a request to the journal of its world that a server refused before, such as one of a page of another origin. */
  noteRefused(request: Request, response: Response): void {
    const { id, inner } = addressed(request);
    const hosted = this.#worlds.get(id);
    if (hosted === undefined) return;
    const { state } = hosted.world;
    const noted = { response, delayMs: 0, unexpected: "refused" } as const;
    this.#note({ ...this.#arrivalAt(hosted), id, request: inner }, noted, { before: state, after: state });
  }

  /** Registers an observer of changes to worlds; returns the function that removes it. Observers must not throw. */
  observe(observer: (worldId: string) => void): () => void {
    this.#observers.add(observer);
    return () => this.#observers.delete(observer);
  }

  /** Notifies observers of all participants; call it after a change to a world that is not a request. */
  touched(id: string): void {
    const ids = this.#worlds.get(id)?.ids ?? [id];
    for (const each of ids) for (const observer of this.#observers) observer(each);
  }

  /** Call it after a change to a world by the program itself: observers are notified, and the store gets it in the background. */
  changed(id: string): void {
    const hosted = this.#worlds.get(id);
    if (hosted !== undefined) void this.kept?.keep(hosted.first);
    this.touched(id);
  }

  /** Removes all worlds and ends the delays of their responses; later requests get 404. */
  close(): void {
    this.#closing.abort();
    for (const first of this.#worlds.keys()) this.#drop(first);
  }

  /** Removes a fork with all its participants. The default world cannot be removed. */
  remove(id: string): boolean {
    const hosted = this.#worlds.get(id);
    if (hosted === undefined || hosted.first === defaultWorldId) return false;
    this.kept?.remove(hosted);
    this.#drop(hosted.first);
    return true;
  }

  #drop(first: string): void {
    for (const each of this.#worlds.get(first)?.ids ?? []) {
      this.#worlds.delete(each);
      this.touched(each);
    }
  }

  /** The worlds of a store. Those that this process owns are hosted. */
  #keptWorlds(keeper: WorldKeeper): KeptWorlds {
    return new KeptWorlds({
      keeper,
      journals: this.#options.journals,
      journalMax: this.limits.values.journalExchangesMax,
      initial: this.#options.world,
      served: {
        find: (id) => this.#worlds.get(id),
        host: (first, world, details) => this.#host(first, world, () => false, details),
        drop: (first) => this.#drop(first),
      },
    });
  }

  /** Serves a world: its first participant under the id, each further one under an id with its name. */
  #host(first: string, world: World, isWhole: (participant: string) => boolean, details: WorldDetails): void {
    this.#expiries.add(details.expiresMs);
    const names = [firstParticipant, ...world.whole.participants.keys()];
    const ids = names.map((name) => idOf(first, name));
    for (const participant of names) {
      const seen = participant === firstParticipant ? world : world.participant(participant);
      const hosted = this.#hosted({ first, participant, ids, world: seen, ...details }, isWhole(participant));
      this.#worlds.set(idOf(first, participant), hosted);
    }
  }

  #hosted(
    seen: Pick<HostedWorld, "first" | "participant" | "ids" | "world" | keyof WorldDetails>,
    isWhole: boolean,
  ): HostedWorld {
    const { createClientRules, later, quotas } = this.#options;
    const id = idOf(seen.first, seen.participant);
    const stub = this.#shared.stubOver(seen.world);
    const clientRules =
      createClientRules === undefined
        ? undefined
        : new WorldClientRules(() => createClientRules(id, { isWhole }), later);
    const journal = new Journal<StatesAround | undefined>(this.#journalLimits);
    const bytes = () => this.kept?.keeper.sizeOf(seen.first) ?? journal.bytes;
    const gate = worldGate({ ...seen, id, quotas, nowMs: this.steadyNowMs, spec: this.#shared.spec, bytes });
    return { ...seen, journal, stub, streams: this.#shared.streamsOver?.(seen.world), clientRules, isWhole, gate };
  }

  #handle(request: Request, context: RequestContext | undefined): HandlerResponse | Promise<HandlerResponse> {
    const { id, inner } = addressed(request);
    const hosted = this.#worlds.get(id);
    if (this.kept?.isHere(hosted) === false) return this.#handleTaken(this.kept, request, context);
    if (hosted === undefined) return unknownWorld(id);
    const refused = hosted.gate?.(inner);
    if (refused !== undefined) return refused;
    const arrival = { ...this.#arrivalAt(hosted), id, request: inner, context };
    if (this.#options.auth === "jwt" || this.#shared.dars?.isUpload(inner) === true)
      return this.#responseLater(arrival);
    return this.#settle(arrival, () => hosted.stub(inner));
  }

  #arrivalAt(hosted: HostedWorld): Omit<Arrival, "id" | "request"> {
    const [startedMs, arrivedMs] = [this.wallNowMs(), this.steadyNowMs()];
    const virtualMs = hosted.world.elapse().nowMs;
    return { hosted, epoch: hosted.journal.epoch, context: undefined, startedMs, arrivedMs, virtualMs };
  }

  /** Takes the world out of the store first. */
  async #handleTaken(
    kept: KeptWorlds,
    request: Request,
    context: RequestContext | undefined,
  ): Promise<HandlerResponse> {
    return (await kept.take(addressed(request).id)) ?? this.#handle(request, context);
  }

  /** Verifies the token and reads the body of an upload before the synchronous step that responds. */
  async #responseLater(arrival: Arrival): Promise<HandlerResponse> {
    const { request, hosted } = arrival;
    const verified = await this.verified(request, hosted).catch((error: unknown) => {
      this.#noteFault(arrival, error, hosted.world.state);
      throw error;
    });
    if (this.#options.auth !== "jwt" || (verified !== undefined && verified.type !== "invalid"))
      await this.#shared.dars?.readAhead(request, () => this.#options.sleep(0, this.#closing.signal));
    // The world may have been given back meanwhile, and taken again.
    const kept = this.kept;
    if (kept !== undefined && !(this.#worlds.get(arrival.id) === hosted && kept.isHere(hosted))) return kept.moved();
    hosted.world.elapse();
    return this.#settle(arrival, () => hosted.stub(request, verified));
  }

  #settle(arrival: Arrival, step: () => StubResponse): HandlerResponse | Promise<HandlerResponse> {
    const { world } = arrival.hosted;
    const before = world.state;
    const stored = this.kept?.changes(arrival.hosted, arrival.request.method);
    const responded = this.#responded(arrival, before, step);
    const states = { before, after: world.state };
    const storing = stored?.();
    if (storing !== undefined) return this.#sendStored(arrival, responded, states, storing);
    if (responded.delayMs > 0) return this.#sendLater(arrival, responded, states);
    this.#note(arrival, responded, states);
    return responded.response;
  }

  /** Sends a response when its changes are stored, or else the response that says why they are not. */
  async #sendStored(
    arrival: Arrival,
    responded: StubResponse,
    states: StatesAround,
    storing: Promise<Response | undefined>,
  ): Promise<HandlerResponse> {
    return (await storing) ?? this.#sendLater(arrival, responded, states);
  }

  #responded(arrival: Arrival, before: WorldState, step: () => StubResponse): StubResponse {
    try {
      return step();
    } catch (error) {
      this.#noteFault(arrival, error, before);
      throw error;
    }
  }

  async #sendLater(arrival: Arrival, responded: StubResponse, states: StatesAround): Promise<HandlerResponse> {
    const { signal } = this.#closing;
    const client = arrival.context?.signal;
    if (responded.delayMs > 0)
      await this.#options.sleep(responded.delayMs, client === undefined ? signal : AbortSignal.any([client, signal]));
    this.#note(arrival, responded, states);
    return responded.response;
  }

  async verified(request: Request, { world }: HostedWorld): Promise<VerifiedToken | undefined> {
    const { auth, verifyToken, profile } = this.#options;
    const token = auth === "jwt" ? this.#readToken(request.headers) : undefined;
    if (token?.type !== "token") return undefined;
    const { nowMs, ledger } = world.state;
    const isAccepted = ledger.acceptsPartyTokens && releaseOf(profile.ledger).behaviour.hasPartyTokens;
    const partyTokensOf = isAccepted ? ledger : undefined;
    const at = { nowMs, wallNowMs: this.wallNowMs(), participantId: ledger.participantId, partyTokensOf };
    return verifyToken?.(token.token, at);
  }

  /** Adds the exchange to the journal, unless the world was reset after the request arrived. */
  #note(
    { id, hosted, epoch, request, startedMs, arrivedMs, virtualMs }: Arrival,
    responded: StubResponse,
    states: StatesAround,
  ): void {
    if (hosted.journal.epoch !== epoch) return;
    const { response, operationId, unexpected } = responded;
    const entry = {
      startedAt: this.#wallTimestamps.of(startedMs),
      durationMs: Math.round(this.steadyNowMs() - arrivedMs),
      request,
      response,
      virtualAt: this.#virtualTimestamps.of(virtualMs),
      operationId,
      unexpected,
    };
    this.counts.add(entry);
    hosted.journal.add(entry, states);
    // A late response may belong to a world that was given back.
    if (this.#worlds.get(id) === hosted) this.kept?.note(id, hosted, entry);
    if (responded.isBodyUnread !== true) hosted.clientRules?.add(entry, responded.parsed ?? {});
    this.touched(id);
  }

  /** Records an exchange that failed in the stub itself, so the request that caused it is in the journal. */
  #noteFault(arrival: Arrival, error: unknown, before: WorldState): void {
    const response = textResponse(500, "text/plain; charset=UTF-8", String(error));
    this.#note(arrival, { response, delayMs: 0 }, { before, after: arrival.hosted.world.state });
  }
}
