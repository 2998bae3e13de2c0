import type { JsonObject } from "../../foundation/json/json.ts";
import { objectOf, objectsOf, textOf } from "./_json.ts";
import { type Call, causeOf } from "./call.ts";
import type { SeenSynchronizers } from "./synchronizers.ts";

/** A disclosed contract and where it is assigned. */
interface Disclosed {
  readonly contractId: string;
  readonly name: string;
  readonly synchronizerId: string;
}

/** Lookups that get 409, one after the other. */
interface Window {
  readonly on: string;
  readonly nth: number;
}

/** Where the registry's contracts are, and when they move without anybody asking for it. */
export class SeenReassignments {
  readonly #synchronizers: SeenSynchronizers;
  readonly #assigned = new Map<string, string>();
  /** Ids by name. */
  readonly #ids = new Map<string, string>();
  /** Contracts that are on their way since a request to the control API. */
  readonly #inFlight = new Set<string>();
  readonly #plan: JsonObject[] = [];
  /** Where contracts were at the beginning, by name, as far as that is not where a lookup disclosed them first. */
  readonly #sources = new Map<string, string>();
  /** Which of them are only likely, with the alias that was given for it. */
  readonly #guesses = new Map<string, { readonly id: string; readonly alias: string }>();
  #window: Window | undefined;

  constructor(synchronizers: SeenSynchronizers) {
    this.#synchronizers = synchronizers;
  }

  /** A refusal, or a request to the control API. */
  note(call: Call, nth: number, isLookup: boolean): void {
    const { operation, status, body, response } = call;
    if (isLookup && status === 409 && this.#inFlight.size === 0) this.#window ??= { on: operation.operationId, nth };
    if (operation.operationId !== "beginReassignment" && operation.operationId !== "completeReassignment") return;
    const [name, to] = [textOf(objectOf(body)["contract"]), textOf(objectOf(body)["to"])];
    const shown = objectsOf(objectOf(response)["contracts"]).find((contract) => contract["name"] === name);
    const assignment = objectOf(shown?.["assignment"]);
    const contractId = textOf(shown?.["contractId"]) || this.#ids.get(name) || name;
    if (status === 200) this.#ids.set(name, contractId);
    if (operation.operationId === "completeReassignment") {
      if (status !== 200) return;
      this.#inFlight.delete(name);
      this.#assigned.set(contractId, textOf(assignment["synchronizerId"]));
    } else if (status === 200) {
      this.#correct(name, textOf(assignment["source"]));
      this.#inFlight.add(name);
      this.#synchronizers.noteAlias(textOf(assignment["target"]), to);
      if (!this.#assigned.has(contractId)) this.#sources.set(name, textOf(assignment["source"]));
    } else if (status === 409) {
      if (/assigned to/.test(causeOf(call))) this.#noteWhere(name, contractId, to);
      else this.#synchronizers.noteAlias(this.#synchronizers.called(to), to);
    }
  }

  /** A contract cannot be moved to where it is already. */
  #noteWhere(name: string, contractId: string, alias: string): void {
    const known = this.#assigned.get(contractId) ?? this.#sources.get(name);
    const id = known ?? this.#synchronizers.called(alias);
    this.#synchronizers.noteAlias(id, alias);
    if (known !== undefined) return;
    this.#sources.set(name, id);
    this.#guesses.set(name, { id, alias });
  }

  /** A lookup shows where a contract is that was guessed to be somewhere else. */
  #correct(name: string, synchronizerId: string): void {
    const guess = this.#guesses.get(name);
    this.#guesses.delete(name);
    if (guess === undefined || this.#inFlight.has(name)) return;
    this.#sources.delete(name);
    if (guess.id === synchronizerId) return;
    this.#synchronizers.withdrawAlias(guess.id);
    this.#synchronizers.noteAlias(synchronizerId, guess.alias);
  }

  /** A lookup that succeeded: whatever is somewhere else than before has moved. */
  noteResponse({ operation }: Call, nth: number, disclosed: readonly Disclosed[]): void {
    const window = this.#window;
    this.#window = undefined;
    for (const { contractId, name, synchronizerId } of disclosed) {
      this.#synchronizers.mention(synchronizerId);
      const before = this.#assigned.get(contractId);
      this.#assigned.set(contractId, synchronizerId);
      this.#ids.set(name, contractId);
      if (before === synchronizerId) continue;
      if (before === undefined) this.#correct(name, synchronizerId);
      if (window !== undefined && before !== undefined)
        this.#move(name, synchronizerId, window, operation.operationId, nth);
    }
    if (window !== undefined && window.on === operation.operationId && window.nth === 1 && this.#isFirst(disclosed))
      this.#moveUnseen(disclosed, window, nth);
  }

  /** The moves as entries of a plan. A window that is open at the end stays so: then the factory is on its way. */
  plan(factory: { readonly contractId: string; readonly name: string }): readonly JsonObject[] {
    const window = this.#window;
    const moves = this.#plan.map(({ to, contract, forCalls, ...timestamp }) => ({
      ...timestamp,
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
