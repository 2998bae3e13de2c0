import type { WorldStore } from "../../src/stub/stores/world-store.ts";

/** A store with other methods in place of some of its own. */
export function alteredStore(store: WorldStore, changes: Partial<WorldStore>): WorldStore {
  return {
    has: (id) => store.has(id),
    count: (label) => store.count(label),
    create: (world) => store.create(world),
    write: (batch, replica) => store.write(batch, replica),
    take: (id, replica) => store.take(id, replica),
    read: (id, replica) => store.read(id, replica),
    release: (ids, replica) => store.release(ids, replica),
    leave: (replica) => store.leave(replica),
    renew: (replica, leaseMs) => store.renew(replica, leaseMs),
    compact: (id, fence, version, state) => store.compact(id, fence, version, state),
    leaseEnd: (id) => store.leaseEnd(id),
    list: () => store.list(),
    close: () => store.close(),
    ...changes,
  };
}

/** A gate that calls wait at until it opens. */
export class Gate {
  readonly #opened = Promise.withResolvers<void>();
  readonly #reached = Promise.withResolvers<void>();

  /** Resolves when a call waits. */
  get reached(): Promise<void> {
    return this.#reached.promise;
  }

  pass(): Promise<void> {
    this.#reached.resolve();
    return this.#opened.promise;
  }

  open(): void {
    this.#opened.resolve();
  }
}
