import type { WorldState } from "../../simulator/world/world-state.ts";
import { GroupCommit, type Kept } from "./group-commit.ts";
import { type HeldVersion, HeldWorld } from "./held-world.ts";
import type { KeeperCounts, KeeperOptions } from "./keeper-options.ts";
import { type Absence, type AdoptedWorld, type ForkedWorld, type HostWorld, type Taken, taken } from "./kept-world.ts";
import { partsOf } from "./snapshot-parts.ts";
import { worldsBeyond } from "./state-source.ts";
import { UnreadableWorld } from "./stored-states.ts";
import type { NewWorld, Ownership, StoreBatch, StoredWorld } from "./world-store.ts";

/** Requests that a process may have counted without storing the number before it was killed; ids of a later owner begin above. */
const countGap = 1_000_000;

/** How long a world is served after the store has said that no other process owns it. */
const confirmedMs = 100;

/** Time between two looks at the lease of another process. */
const leasePauseMs = 50;

/** A world is compacted when its changes have become this long, and as long as its snapshot. */
const changesLengthMax: number = 1024 * 1024;

/**
 * The worlds of a store that this process owns. A lease on all of them is renewed in the background. Their changes are written in
 * groups. When a world is lost to another process, `onLost` says so, and nothing of it may be served any more.
 */
export class WorldKeeper {
  readonly #options: KeeperOptions;
  readonly #commits: GroupCommit;
  readonly #held = new Map<string, HeldWorld>();
  /** Worlds that are being taken. */
  readonly #taking = new Map<string, Promise<Taken | Absence>>();
  /** Worlds with changes to write. One that is lost meanwhile stays: the store decides by its fence. */
  readonly #changed = new Set<HeldWorld>();
  /** The end of all releases that have begun. */
  #released: Promise<void> = Promise.resolve();
  #created: NewWorld[] = [];
  #removed: Ownership[] = [];
  #renewals = 0;
  #heldUntilMs = Number.NEGATIVE_INFINITY;
  #isClosed = false;
  #isResponding = true;
  #isTidying = false;
  /** Whether the store can be read, and the lease could not be renewed, as on a full disk. */
  isReadOnly = false;
  /** Lapses of the lease. */
  #lapses = 0;
  #counts = { commits: 0, changes: 0, commitMs: 0, faults: 0, lost: 0 };
  /** Called with the ids of worlds that this process does not own any more. */
  onLost: (ids: readonly string[]) => void = () => undefined;
  /** Called after each renewal of the lease, when worlds have been given back and stored. */
  onTidied: () => Promise<void> = () => Promise.resolve();
  /** Called when worlds are not served any more, before they are given back. */
  beforeRelease: () => Promise<void> = () => Promise.resolve();

  constructor(options: KeeperOptions) {
    this.#options = options;
    this.#commits = new GroupCommit({
      ...options,
      patienceMs: options.leaseMs,
      take: () => this.#takeBatch(),
      onFault: (fault) => this.#fail(fault),
      onWritten: (durationMs, changes) => {
        this.#isResponding = true;
        this.#counts.commits += 1;
        this.#counts.commitMs += durationMs;
        this.#counts.changes += changes;
      },
    });
  }

  get counts(): KeeperCounts {
    return { ...this.#counts, worlds: this.#held.size };
  }

  /** Whether the lease is valid. Without it, another process may own the worlds. */
  get isHeld(): boolean {
    return this.#options.nowMs() < this.#heldUntilMs;
  }

  /** Whether this process may serve a world now. */
  isServed(id: string): boolean {
    return this.isHeld || this.#options.nowMs() < (this.#held.get(id)?.confirmedUntilMs ?? 0);
  }

  /** Whether the last use of the store had no fault. */
  get isResponding(): boolean {
    return this.#isResponding;
  }

  /** Creates the world of the scenario unless the store has it, and begins to renew the lease. Rejects with the error of the store. */
  async open(world: NewWorld): Promise<void> {
    const { store } = this.#options;
    if (!(await store.has(world.id))) await store.create(world);
    await this.renew();
    void this.#renewAgain();
  }

  /** Makes this process the owner of a world that `host` then serves. */
  take(id: string, host: HostWorld): Promise<Taken | Absence> {
    const known = this.#taking.get(id);
    if (known !== undefined) return known;
    // Worlds of a store that cannot be written can be read.
    if (this.#isClosed || !(this.isHeld || this.isReadOnly)) return Promise.resolve({ type: "unavailable" });
    const taking = this.#take(id, host).finally(() => this.#taking.delete(id));
    this.#taking.set(id, taking);
    return taking;
  }

  async #take(id: string, host: HostWorld): Promise<Taken | Absence> {
    const { store, replica } = this.#options;
    // A world that is taken again while it is given back would have no owner afterwards.
    await this.#released;
    if (this.#isClosed) return { type: "unavailable" };
    try {
      const lapses = this.#lapses;
      const { isHeld } = this;
      const stored = await (isHeld ? store.take(id, replica) : store.read(id, replica));
      if (stored?.type !== "taken") return stored ?? { type: "unavailable" };
      const { state, isReleased } = stored;
      const served = isReleased ? state : { ...state, counter: state.counter + countGap };
      if (isHeld || this.#held.get(id)?.fence !== stored.fence) {
        const { start, current } = await host({ stored, state: served });
        this.#hold({ ...stored, start }, current);
        await this.makeRoom(0);
      }
      const held = this.#held.get(id);
      if (!isHeld && held !== undefined) held.confirmedUntilMs = this.#options.nowMs() + confirmedMs;
      if (this.#lapses === lapses) return taken;
      this.#lose([id]);
    } catch (fault) {
      if (fault instanceof UnreadableWorld) {
        this.#options.onFault(fault);
        return { type: "unreadable" };
      }
      this.#fail(fault);
    }
    return { type: "unavailable" };
  }

  #hold(stored: HeldVersion, current: () => WorldState): void {
    this.#held.set(stored.id, new HeldWorld(stored, current, this.#renewals));
  }

  /** Notes a request to a world. */
  use(id: string): void {
    const held = this.#held.get(id);
    if (held !== undefined) held.lastUsed = this.#renewals;
  }

  /** Stores the current state of a world, or its removal; undefined if nothing needs to wait for it. */
  keep(id: string): Promise<Kept> | undefined {
    const kept = this.#commit(id);
    return this.#options.isRelaxed ? undefined : kept;
  }

  /** Whether requests wait until their changes of the world are stored. */
  isStoring(id: string): boolean {
    return (this.#held.get(id)?.waiting ?? 0) > 0;
  }

  async #commit(id: string): Promise<Kept> {
    const held = this.#held.get(id);
    const world = held ?? this.#removed.find((removed) => removed.id === id);
    if (world === undefined) return "lost";
    this.#change([id]);
    if (held !== undefined) held.waiting += 1;
    const kept = (await this.#commits.commit())(world);
    if (held !== undefined) held.waiting -= 1;
    if (kept === "unwritable" && this.#held.get(id) === held) this.#forget([id]);
    else if (kept !== "stored" && this.#held.get(id) === held) this.#lose([id]);
    return kept;
  }

  /** Adds a world that was forked from one of this process. `keep` of its id tells when it is stored. */
  fork({ origin, isFromStart, current, ...world }: ForkedWorld): void {
    const held = this.#held.get(origin);
    if (held === undefined) throw new Error(`invariant: the world ${origin} is not held`);
    const { version, state } = isFromStart ? held.start : held.cut(this.#options.wallNowMs());
    this.#changed.add(held);
    this.#add({ ...world, start: { origin, fence: held.fence, version } }, state, current);
  }

  /** Adds a world that came from elsewhere. `keep` of its id tells when it is stored. */
  adopt({ current, ...world }: AdoptedWorld, start: WorldState): void {
    this.#add({ ...world, start: { parts: [...partsOf(start)] } }, start, current);
  }

  #add(world: NewWorld & Pick<HeldVersion, "sources">, state: WorldState, current: () => WorldState): void {
    this.#created.push(world);
    this.#hold(
      { ...world, fence: 1, version: 0, state, startVersion: 0, start: state, size: 0, storedSize: 0 },
      current,
    );
    this.#change([world.id]);
  }

  /** Makes the current state of a world the one from which it starts, after a reset. */
  restart(id: string): void {
    this.#held.get(id)?.restart(this.#options.wallNowMs());
  }

  /** Removes a world. `keep` of its id tells when that is stored. */
  remove(id: string): void {
    const held = this.#held.get(id);
    if (held === undefined) return;
    this.#held.delete(id);
    this.#removed.push(held);
    void this.#commits.commit();
  }

  /** Waits until another process has given a world back, has renewed its lease, or had the time of a lease to do so. */
  async untilFree(id: string): Promise<void> {
    const { nowMs, leaseMs, wait } = this.#options;
    const endMs = nowMs() + leaseMs;
    const leaseEnd = () => this.#options.store.leaseEnd(id).catch((fault: unknown) => this.#fail(fault));
    const before = await leaseEnd();
    while (before !== undefined && nowMs() < endMs && (await leaseEnd()) === before) await wait(leasePauseMs);
  }

  list(): Promise<readonly StoredWorld[]> {
    return this.#options.store.list();
  }

  /** The number of worlds of the store with a label. */
  count(label: string): Promise<number> {
    return this.#options.store.count(label);
  }

  /** Characters of the snapshot and the changes of a world of this process. */
  sizeOf(id: string): number {
    return this.#held.get(id)?.storedSize ?? 0;
  }

  /** Gives the worlds back that were not used for longest, until the texts of the others leave room for this number of bytes. */
  makeRoom(bytes: number): Promise<void> {
    const newestFirst = [...this.#held.values()].reverse().sort((left, right) => right.lastUsed - left.lastUsed);
    return this.release(worldsBeyond(newestFirst, this.#options.stateBytesMax - bytes).map(({ id }) => id));
  }

  /**
   * Stores what is not stored yet and gives worlds back, so that another process can take them at once. If the store does not
   * respond, they are free when the lease of this process ends, or when another process wants them.
   */
  async release(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    this.#change(ids);
    await this.#commits.commit();
    const isQuiet = (id: string) => this.#isClosed || this.#held.get(id)?.isChanged !== true;
    // A world that is being taken meanwhile stays.
    const quiet = ids.filter((id) => !this.#taking.has(id) && isQuiet(id));
    this.#forget(quiet);
    const releasing = this.beforeRelease()
      .then(() => this.#options.store.release(quiet, this.#options.replica))
      .catch((fault: unknown) => this.#fail(fault));
    this.#released = Promise.all([this.#released, releasing]).then(() => undefined);
    await releasing;
  }

  /** Gives all worlds back and closes the store. */
  async close(): Promise<void> {
    const { store } = this.#options;
    this.#isClosed = true;
    await this.#commits.commit();
    await this.release([...this.#held.keys()]);
    await store.leave(this.#options.replica).catch((fault: unknown) => this.#fail(fault));
    await store.close();
  }

  #change(ids: readonly string[]): void {
    for (const id of ids) {
      const held = this.#held.get(id);
      if (held !== undefined) this.#changed.add(held);
    }
  }

  #takeBatch(): { readonly batch: StoreBatch; readonly unwritable: readonly Ownership[] } {
    const changed = [...this.#changed];
    const atMs = this.#options.wallNowMs();
    const unwritable: Ownership[] = [];
    const changesOf = (held: HeldWorld) => {
      try {
        return held.takeChanges(atMs) ?? [];
      } catch (fault) {
        this.#options.onFault(fault);
        unwritable.push(held);
        return [];
      }
    };
    const batch = { created: this.#created, appended: changed.flatMap(changesOf), removed: this.#removed };
    this.#changed.clear();
    [this.#created, this.#removed] = [[], []];
    return { batch, unwritable };
  }

  async #renewAgain(): Promise<void> {
    while (!this.#isClosed) {
      await this.#options.wait(this.#options.leaseMs / 3);
      if (this.#isClosed) return;
      const fail = (fault: unknown) => this.#fail(fault);
      // What follows a renewal may take longer than the lease.
      await this.#renewLease().then((wanted) => void this.#tidy(wanted).catch(fail), fail);
    }
  }

  /** Renews the lease, and gives back what other processes want and nothing here uses. Rejects with the error of the store. */
  async renew(): Promise<void> {
    await this.#tidy(await this.#renewLease());
  }

  /** Renews the lease, and returns the worlds of this process that others want. */
  async #renewLease(): Promise<readonly string[]> {
    const { store, leaseMs, nowMs } = this.#options;
    const startedMs = nowMs();
    const { removed, wanted } = await store.renew(this.#options.replica, leaseMs).catch((fault: unknown) => {
      void this.#tryToRead();
      throw fault;
    });
    this.#isResponding = true;
    this.isReadOnly = false;
    // The lease may have expired before the store renewed it, and other processes may have taken worlds of this one.
    if (nowMs() >= this.#heldUntilMs) {
      this.#lapses += 1;
      this.#lose([...this.#held.keys()]);
    }
    this.#heldUntilMs = startedMs + leaseMs;
    this.#forget(removed);
    this.#renewals += 1;
    return wanted;
  }

  /** Finds out whether reads can go on after a renewal that failed. */
  async #tryToRead(): Promise<void> {
    const renewals = this.#renewals;
    const found = await this.#options.store.has("").catch(() => undefined);
    this.isReadOnly = found !== undefined && renewals === this.#renewals;
  }

  /** Gives worlds back, and stores and compacts others; one call at a time. */
  async #tidy(wanted: readonly string[]): Promise<void> {
    if (this.#isTidying) return;
    this.#isTidying = true;
    try {
      await this.#giveBack(wanted);
      for (const { id, isChanged } of [...this.#held.values()]) if (isChanged) void this.keep(id);
      await this.#compact();
      await this.onTidied();
    } finally {
      this.#isTidying = false;
    }
  }

  /**
   * Gives back unused worlds that others want or that are too many for the memory, and wanted worlds that this process owns but does
   * not serve, after a lapse of the lease or a fault.
   */
  async #giveBack(wanted: readonly string[]): Promise<void> {
    const unused = [...this.#held.values()].filter(({ lastUsed }) => lastUsed < this.#renewals - 1);
    const given = new Set(unused.map(({ id }) => id).filter((id) => wanted.includes(id)));
    const surplus = this.#held.size - this.#options.worldsMax;
    const oldest = unused.sort((left, right) => left.lastUsed - right.lastUsed).slice(0, Math.max(0, surplus));
    for (const { id } of oldest) given.add(id);
    for (const id of wanted) if (!this.#held.has(id) && !this.#taking.has(id)) given.add(id);
    await this.release([...given]);
  }

  /** Compacts the worlds with many changes, one after the other. */
  async #compact(): Promise<void> {
    for (const held of this.#held.values()) {
      if (held.size < changesLengthMax) continue;
      await this.#commit(held.id);
      const { version, state } = held.newest;
      const size = await this.#options.store.compact(held.id, held.fence, version, state);
      if (size === undefined) continue;
      held.size = -size;
      held.storedSize = size;
    }
  }

  #lose(ids: readonly string[]): void {
    const lost = ids.filter((id) => this.#held.has(id));
    this.#counts.lost += lost.length;
    if (lost.length > 0) this.#options.onTakenAway?.(lost);
    this.#forget(lost);
  }

  #forget(ids: readonly string[]): void {
    if (ids.length === 0) return;
    for (const id of ids) this.#held.delete(id);
    this.onLost(ids);
  }

  #fail(fault: unknown): undefined {
    this.#counts.faults += 1;
    this.#isResponding = false;
    this.#options.onFault(fault);
  }
}
