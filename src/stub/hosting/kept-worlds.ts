import type { Response } from "../../foundation/http/response.ts";
import { firstParticipant } from "../../simulator/world/participants.ts";
import type { World } from "../../simulator/world/world.ts";
import type { WorldState } from "../../simulator/world/world-state.ts";
import type { StoredJournal } from "../journal/journal.ts";
import type { JournalEntry } from "../journal/journal-entry.ts";
import { maskOfExchange } from "../journal/shown-exchange.ts";
import { storedEntry } from "../journal/stored-entry.ts";
import { differenceOf } from "../stores/difference.ts";
import type { Kept } from "../stores/group-commit.ts";
import type { Absence, AdoptedWorld, ArrivedWorld, HostedState } from "../stores/kept-world.ts";
import { partsOf } from "../stores/snapshot-parts.ts";
import type { StoredJournals } from "../stores/stored-journals.ts";
import type { WorldKeeper } from "../stores/world-keeper.ts";
import type { HostedWorld } from "./hosted-world.ts";
import { absentWorld, unkept } from "./kept-response.ts";
import { detailsOf, noDetails, type WorldDetails } from "./world-details.ts";
import { defaultWorldId, firstIdsOf, idOf, unknownWorld } from "./world-id.ts";

/** Why a request was refused: its world has another owner now or had one before, or the store does not respond. */
type Refusal = Exclude<Absence["type"] | Kept, "stored">;

/** The worlds that a hosting serves. */
interface ServedWorlds {
  find(id: string): HostedWorld | undefined;
  /** Serves a world under an id, with all its participants. */
  host(first: string, world: World, details: WorldDetails): void;
  drop(first: string): void;
}

interface KeptWorldsOptions {
  readonly keeper: WorldKeeper;
  /** Undefined if journals are in memory alone. */
  readonly journals: StoredJournals | undefined;
  /** Exchanges of a stored journal that are loaded. */
  readonly journalMax: number;
  /** The world of the scenario. */
  readonly initial: World;
  readonly served: ServedWorlds;
}

const nothing: StoredJournal = { records: [], last: 0 };

/** The worlds of a store, as a hosting sees them: taken when a request names them, stored before a response is sent. */
export class KeptWorlds {
  readonly keeper: WorldKeeper;
  readonly #options: Omit<KeptWorldsOptions, "keeper">;
  /** Requests that were refused because of the store, by reason. Requests for worlds that do not exist are not counted. */
  readonly refusals: Map<Refusal, number> = new Map();
  /** Called when the default world of the store began with other files than those of the scenario. */
  onOtherStart: () => void = () => undefined;

  constructor({ keeper, ...options }: KeptWorldsOptions) {
    this.keeper = keeper;
    this.#options = options;
    const { journals, served } = options;
    keeper.onLost = (ids) => {
      for (const id of ids) served.drop(id);
    };
    keeper.beforeRelease = async () => journals?.flush();
    keeper.onTidied = async () => journals?.trimSometimes();
  }

  /** Creates the default world if the store does not have it, and takes it. Resolves to the response if that is not possible. */
  async open(): Promise<Response | undefined> {
    await this.keeper.open({
      id: defaultWorldId,
      start: { parts: [...partsOf(this.#options.initial.elapse())] },
      ...noDetails,
    });
    return this.take(defaultWorldId);
  }

  /** Whether this process may serve a world. */
  isHere(hosted: HostedWorld | undefined): boolean {
    if (hosted === undefined || !this.keeper.isServed(hosted.first)) return false;
    this.keeper.use(hosted.first);
    return true;
  }

  /** Takes a world out of the store. Resolves to the response if that is not possible. */
  async take(id: string): Promise<Response | undefined> {
    if (this.isHere(this.#options.served.find(id))) return undefined;
    for (const first of firstIdsOf(id, [...this.#options.initial.whole.participants.keys()])) {
      const taken = await this.keeper.take(first, (arrived) => this.#host(arrived));
      if (taken.type === "taken") return this.#options.served.find(id) === undefined ? unknownWorld(id) : undefined;
      if (taken.type !== "unknown") return this.absent(id, taken);
    }
    return unknownWorld(id);
  }

  /** Serves a taken world. */
  async #host({ stored, state }: ArrivedWorld): Promise<HostedState> {
    const { id } = stored;
    const names = [firstParticipant, ...state.participants.keys()];
    const journals = await Promise.all(
      names.map((name) => this.#options.journals?.load(idOf(id, name), this.#options.journalMax)),
    );
    const isDefault = id === defaultWorldId;
    const world = this.#options.initial.restored(state, stored.changedMs, isDefault ? undefined : stored.start);
    const start = isDefault ? this.#sharedStart(stored.start) : stored.start;
    this.#options.served.host(id, world, detailsOf(stored));
    for (const [index, name] of names.entries()) {
      this.#options.served.find(idOf(id, name))?.journal.restore(journals[index] ?? nothing, undefined);
    }
    return { start, current: () => currentOf(world) };
  }

  /** The start of the scenario if the stored one is equal, so that forks of it are not compared row by row. */
  #sharedStart(stored: WorldState): WorldState {
    const start = this.#options.initial.fresh().whole;
    const changed = new Set(differenceOf(stored, start).map(([[member = ""]]) => member));
    // A scenario that starts now has another time, and another time of each planned event, at each start.
    if ([...changed].some((member) => member !== "nowMs" && member !== "plan")) this.onOtherStart();
    changed.delete("nowMs");
    return changed.size === 0 ? { ...start, nowMs: stored.nowMs } : stored;
  }

  /**
   * Begins to observe a request. The result tells, after it, when its changes are stored; undefined if nothing needs to wait. A
   * request that repeats an earlier one finds its changes there and reports them, so it waits until those are stored. GET does not.
   */
  changes({ world, first }: HostedWorld, method: string): () => Promise<Response | undefined> | undefined {
    const before = world.whole;
    const isWaiting = () => method !== "GET" && this.keeper.isStoring(first);
    return () => (isChange(before, world.whole) || isWaiting() ? this.keep(first) : undefined);
  }

  /** Stores the current state of a world. Resolves to undefined, or to the response if that was not possible. */
  keep(first: string): Promise<Response | undefined> | undefined {
    return this.keeper.keep(first)?.then((kept) => {
      if (kept === "stored") return undefined;
      this.#refuse(kept);
      return unkept(kept);
    });
  }

  /** The response to a request for a world that is not here. */
  absent(id: string, absence: Absence): Response {
    if (absence.type !== "unknown") this.#refuse(absence.type);
    return absentWorld(id, absence);
  }

  #refuse(refusal: Refusal): void {
    this.refusals.set(refusal, (this.refusals.get(refusal) ?? 0) + 1);
  }

  /** The response to a request whose world was given back before the request was executed. */
  moved(): Response {
    this.#refuse("lost");
    return unkept("lost");
  }

  /** Why the worlds of the store cannot be served now; undefined if they can. */
  get problem(): string | undefined {
    if (this.keeper.isReadOnly) return "The store cannot be written. Reads go on.";
    if (!this.keeper.isHeld) return "The lease on the worlds has lapsed, because the store did not respond.";
    return this.keeper.isResponding ? undefined : "The store does not respond.";
  }

  /** A fork that does not begin in the current state of its origin starts from a state of its own. */
  fork(origin: string, id: string, from: "now" | "start" | WorldState): void {
    this.keeper.fork({ ...this.#added(id), origin, isFromStart: from === "start" });
    if (from !== "now") this.keeper.restart(id);
  }

  adopt(id: string, start: WorldState): void {
    this.keeper.adopt(this.#added(id), start);
  }

  #added(id: string): AdoptedWorld {
    const served = this.#options.served.find(id);
    if (served === undefined) throw new Error(`invariant: the world ${id} is not served`);
    return { id, ...detailsOf(served), current: () => currentOf(served.world) };
  }

  /** After a reset: the current state is the start of the world, and its journals are empty. */
  restart({ first, ids }: HostedWorld): void {
    this.keeper.restart(first);
    for (const id of ids) this.#options.journals?.clear(id);
  }

  /** Adds an exchange to the stored journal, if journals are stored. */
  note(id: string, { journal, world }: HostedWorld, entry: JournalEntry): void {
    this.#options.journals?.add({
      world: id,
      number: journal.last,
      atMs: Date.parse(entry.startedAt),
      exchange: storedEntry(entry, maskOfExchange(entry, world)),
    });
  }

  remove({ first, ids }: HostedWorld): void {
    this.keeper.remove(first);
    for (const id of ids) this.#options.journals?.clear(id);
  }

  /** Stores everything and gives all worlds back. */
  close(): Promise<void> {
    return this.keeper.close();
  }
}

/** The state of a world as of now, as a store keeps it. */
function currentOf(world: World): WorldState {
  world.elapse();
  return world.whole;
}

/** Whether a request has changed more than clock and counts. Clock and counts are stored with the next change, or when the lease is renewed. */
function isChange(before: WorldState, after: WorldState): boolean {
  return (
    before.ledger !== after.ledger ||
    before.registry !== after.registry ||
    before.participants !== after.participants ||
    before.plan !== after.plan ||
    before.timedDone !== after.timedDone ||
    givenOf(before) !== givenOf(after)
  );
}

/** Planned responses that were sent. */
function givenOf({ responseCounts }: WorldState): number {
  let sum = 0;
  for (const { given } of responseCounts) sum += given;
  return sum;
}
