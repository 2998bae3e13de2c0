import type { JsonObject } from "../http/json.ts";
import { objectOf, textOf } from "./_json.ts";
import type { Call } from "./call.ts";
import type { SeenSynchronizers } from "./synchronizers.ts";

/** A disclosed contract and where it is assigned. */
interface Disclosed {
  readonly contractId: string;
  readonly name: string;
  readonly synchronizerId: string;
}

/** Lookups that are answered 409, one after the other. */
interface Window {
  readonly on: string;
  readonly nth: number;
}

/** Where the registry's contracts are, and when they move without anybody asking for it. */
export class SeenReassignments {
  readonly #synchronizers: SeenSynchronizers;
  readonly #assigned = new Map<string, string>();
  /** Moves that a request to the control API began. */
  readonly #asked = new Set<string>();
  /** The aliases to which they go. */
  readonly #aliases = new Map<string, string>();
  readonly #plan: JsonObject[] = [];
  /** Contracts that were seen only after a window from the first lookup on: where they came from was not seen. */
  readonly #sources = new Map<string, string>();
  #window: Window | undefined;
  #areRefusalsAsked = false;

  constructor(synchronizers: SeenSynchronizers) {
    this.#synchronizers = synchronizers;
  }

  /** A refusal, or a request to the control API. */
  note({ operation, status, body }: Call, nth: number, isLookup: boolean): void {
    if (isLookup && status === 409) {
      if (!this.#areRefusalsAsked) this.#window ??= { on: operation.operationId, nth };
      return;
    }
    if (operation.api !== "control" || status !== 200) return;
    const [contract, to] = [textOf(objectOf(body)["contract"]), textOf(objectOf(body)["to"])];
    if (operation.operationId === "beginReassignment") {
      this.#asked.add(contract);
      this.#aliases.set(contract, to);
      this.#areRefusalsAsked = true;
    }
    if (operation.operationId === "completeReassignment") this.#areRefusalsAsked = false;
  }

  /** A lookup that succeeded: whatever is somewhere else than before has moved. */
  noteAnswer({ operation }: Call, nth: number, disclosed: readonly Disclosed[]): void {
    const window = this.#window;
    this.#window = undefined;
    for (const { contractId, name, synchronizerId } of disclosed) {
      this.#synchronizers.mention(synchronizerId);
      const before = this.#assigned.get(contractId);
      this.#assigned.set(contractId, synchronizerId);
      if (before === synchronizerId) continue;
      if (before !== undefined && this.#asked.delete(name)) {
        this.#synchronizers.noteAlias(synchronizerId, this.#aliases.get(name) ?? "");
        continue;
      }
      if (window !== undefined && before !== undefined)
        this.#move(name, synchronizerId, window, operation.operationId, nth);
    }
    if (window !== undefined && window.on === operation.operationId && window.nth === 1 && this.#isFirst(disclosed))
      this.#moveUnseen(disclosed, window, nth);
  }

  /** The moves as entries of a plan. A window that is open at the end stays so: then the factory is on its way. */
  plan(factory: { readonly contractId: string; readonly name: string }): readonly JsonObject[] {
    const window = this.#window;
    const moves = this.#plan.map(({ to, contract, forCalls, ...moment }) => ({
      ...moment,
      reassign: { contract: contract ?? null, to: this.#synchronizers.aliasOf(textOf(to)), forCalls: forCalls ?? null },
    }));
    if (window === undefined) return moves;
    const to = this.#synchronizers.otherThan(this.#assigned.get(factory.contractId) ?? "");
    return [...moves, { ...window, reassign: { contract: factory.name, to: this.#synchronizers.aliasOf(to) } }];
  }

  /** Where a contract was at the beginning, which may be somewhere else than where it was seen first. */
  sourceOf(name: string, first: string): string {
    return this.#sources.get(name) ?? first;
  }

  #isFirst(disclosed: readonly Disclosed[]): boolean {
    return this.#plan.length === 0 && disclosed.length > 0 && this.#assigned.size === disclosed.length;
  }

  #move(contract: string, to: string, window: Window, on: string, nth: number): void {
    if (window.on === on) this.#plan.push({ ...window, contract, to, forCalls: nth - window.nth });
  }

  /** The recording begins within a window: where the factory came from is anybody's guess. */
  #moveUnseen(disclosed: readonly Disclosed[], window: Window, nth: number): void {
    const last = disclosed.at(-1);
    if (last === undefined || last.name === "") return;
    this.#sources.set(last.name, this.#synchronizers.otherThan(last.synchronizerId));
    this.#move(last.name, last.synchronizerId, window, window.on, nth);
  }
}
