import type { HostedWorld } from "../../../stub/hosting/hosted-world.ts";
import type { Hosting } from "../../../stub/hosting/hosting.ts";
import type { JournalEntry } from "../../../stub/journal/journal-entry.ts";

/** Exchanges that are read from the journal of a world at once. */
const readMax = 1000;

interface NewExchangesOptions {
  /** Runs a function when responses are sent. */
  readonly later: (run: () => void) => void;
  readonly onExchange: (entry: JournalEntry, worldId: string, world: HostedWorld["world"]) => void;
  /** Called when all new exchanges were read. */
  readonly onRead?: () => void;
}

/** Reads the exchanges of all worlds from their journals, each once, after the response is sent. */
export class NewExchanges {
  readonly #options: NewExchangesOptions;
  /** Worlds with new exchanges. */
  readonly #touched = new Set<string>();
  readonly #read = new WeakMap<object, Position>();

  constructor(options: NewExchangesOptions) {
    this.#options = options;
  }

  /** Watches the worlds of a hosting. */
  watch(hosting: Hosting): void {
    hosting.observe((worldId) => {
      this.#touched.add(worldId);
      if (this.#touched.size === 1) this.#options.later(() => this.#readAll(hosting));
    });
  }

  #readAll(hosting: Hosting): void {
    const ids = [...this.#touched];
    this.#touched.clear();
    for (const id of ids) this.#readWorld(hosting, id);
    this.#options.onRead?.();
  }

  #readWorld(hosting: Hosting, id: string): void {
    const hosted = hosting.worlds.get(id);
    if (hosted === undefined) return;
    const { journal, world } = hosted;
    const known = this.#read.get(journal);
    const last = known?.epoch === journal.epoch ? known.last : journal.restored;
    for (const { entry } of journal.after(last, readMax)) this.#options.onExchange(entry, id, world);
    this.#read.set(journal, { epoch: journal.epoch, last: journal.last });
  }
}

/** The newest exchange of a journal that was read. */
interface Position {
  readonly epoch: number;
  readonly last: number;
}
