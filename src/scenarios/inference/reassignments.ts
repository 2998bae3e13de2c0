import type { JsonObject } from "../../foundation/json/json.ts";
import { objectOf, objectsOf, textOf } from "../../foundation/json/members.ts";
import { type Call, causeOf } from "./call.ts";
import type { SeenSynchronizers } from "./synchronizers.ts";

/** A disclosed contract and its synchronizer. */
interface Disclosed {
  readonly contractId: string;
  readonly name: string;
  readonly synchronizerId: string;
}

/** Consecutive lookups with status 409, by the first one. */
interface Window {
  readonly on: string;
  readonly nth: number;
}

/** The assignments of the registry's contracts, and their reassignments that no request caused. */
export class SeenReassignments {
  readonly #synchronizers: SeenSynchronizers;
  readonly #assigned = new Map<string, string>();
  /** Ids by name. */
  readonly #ids = new Map<string, string>();
  /** Contracts in flight because of a request to the control API. */
  readonly #inFlight = new Set<string>();
  readonly #plan: JsonObject[] = [];
  /** Initial synchronizers by contract name, if they differ from the first disclosed one. */
  readonly #sources = new Map<string, string>();
  /** Those of them that are guesses, with the requested alias. */
  readonly #guesses = new Map<string, { readonly id: string; readonly alias: string }>();
  #window: Window | undefined;

  constructor(synchronizers: SeenSynchronizers) {
    this.#synchronizers = synchronizers;
  }

  /** Notes a refusal, or a request to the control API. */
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
      if (/assigned to/.test(causeOf(call))) this.#noteAssignedTo(name, contractId, to);
      else this.#synchronizers.noteAlias(this.#synchronizers.idOfAlias(to), to);
    }
  }

  /** Notes the synchronizer of a contract that is assigned to it already. */
  #noteAssignedTo(name: string, contractId: string, alias: string): void {
    const known = this.#assigned.get(contractId) ?? this.#sources.get(name);
    const id = known ?? this.#synchronizers.idOfAlias(alias);
    this.#synchronizers.noteAlias(id, alias);
    if (known !== undefined) return;
    this.#sources.set(name, id);
    this.#guesses.set(name, { id, alias });
  }

  /** Replaces a guessed synchronizer by the one in a response. */
  #correct(name: string, synchronizerId: string): void {
    const guess = this.#guesses.get(name);
    this.#guesses.delete(name);
    if (guess === undefined || this.#inFlight.has(name)) return;
    this.#sources.delete(name);
    if (guess.id === synchronizerId) return;
    this.#synchronizers.withdrawAlias(guess.id);
    this.#synchronizers.noteAlias(synchronizerId, guess.alias);
  }

  /** Notes a successful lookup: contracts with another synchronizer than before were reassigned. */
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

  /** The reassignments as plan entries. If the recording ends in a window of 409, the factory stays in flight. */
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

  /** The initial synchronizer of a contract; `first` is the first disclosed one. */
  sourceOf(name: string, first: string): string {
    return this.#sources.get(name) ?? first;
  }

  #isFirst(disclosed: readonly Disclosed[]): boolean {
    return this.#plan.length === 0 && disclosed.length > 0 && this.#assigned.size === disclosed.length;
  }

  #move(contract: string, to: string, window: Window, on: string, nth: number): void {
    if (window.on === on) this.#plan.push({ ...window, contract, to, forCalls: nth - window.nth });
  }

  /** The recording begins within a window of 409: the source of the factory is unknown, so another synchronizer is used. */
  #moveUnseen(disclosed: readonly Disclosed[], window: Window, nth: number): void {
    const last = disclosed.at(-1);
    if (last === undefined || last.name === "") return;
    this.#sources.set(last.name, this.#synchronizers.otherThan(last.synchronizerId));
    this.#move(last.name, last.synchronizerId, window, window.on, nth);
  }
}
