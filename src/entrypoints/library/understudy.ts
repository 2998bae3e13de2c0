import type { CountedClientFinding } from "../../checker/client-rules/client-finding.ts";
import type { JsonObject } from "../../foundation/json/json.ts";
import type { ProfileNames } from "../../foundation/spec/spec.ts";
import type { components } from "../../scenarios/files/generated/plan-types.ts";
import type { JournalEntry } from "../../stub/journal/journal-entry.ts";

/** An isolated stub for a participant node and a token registry: one world and its journal. `await using` ends it. */
export interface Understudy extends AsyncDisposable {
  /** Base URL of the ledger; the paths of the spec follow it. */
  readonly ledgerUrl: string;
  /** Base URL of the registry; the same as the ledger's. */
  readonly registryUrl: string;
  /** The releases that it plays. */
  readonly profile: ProfileNames;
  /** The exchanges of this world so far, oldest first, each with its operation and virtual time; the newest 1000 are kept. */
  readonly journal: readonly JournalEntry[];
  /** The world as the control API shows it: its contracts, holdings, transfer instructions and pre-approvals. */
  readonly world: JsonObject;
  /** Virtual time. It stands still until it is advanced, unless settings or scenario say otherwise. */
  readonly clock: UnderstudyClock;
  /**
   * What the application did in this world's journal that the spec does not ask for, by the client rules; what it sent
   * to the world that this one was forked from does not count, and may excuse it.
   */
  clientRules(): readonly CountedClientFinding[];

  /** Whether this world has ended; then whatever needs it throws RangeError. */
  readonly isClosed: boolean;

  /**
   * Unassigns a contract of the registry fixture, by its name there; a lookup that discloses it returns 409 until it is
   * assigned to the synchronizer with the alias `to`: by `complete()`, at the end of a `using` block, or by itself when
   * virtual time has passed by `for`. Throws RangeError for names that are not there.
   *
   * @example
   * {
   *   using window = understudy.reassign("external-party-amulet-rules", { to: "synchronizer-b" });
   *   await expect(lookup()).rejects.toThrow("being reassigned");
   * }
   */
  reassign(contract: string, where: ReassignmentTarget): Reassignment;

  /**
   * Lets the next call of an operation go wrong, or what `nth`, `times` and `match` say: a named fault, or a response
   * `instead` of its effect or `after` it. Of several that are due at one call the newest is played; the others are over
   * with it. Throws RangeError for what cannot be.
   *
   * @example
   * understudy.fault("postV2Interactive-submissionExecuteandwait", "commit-then-timeout");
   * understudy.fault("getTransferFactory", { instead: { status: 503, body: { error: "busy" } }, times: 2 });
   */
  fault(on: OperationId, what: NamedFault | FaultEntry): void;

  /**
   * Plans what else happens by itself, with entries as a scenario's plan has them: times and calls count from now.
   * Throws RangeError that lists all problems; then nothing is planned.
   *
   * @example
   * understudy.plan({ at: "PT30S", deactivateUser: "alice" });
   */
  plan(...entries: readonly PlanEntry[]): void;

  /** A stub in the same state, in constant time; neither sees what happens to the other. */
  fork(): Understudy;

  /** Back to the state in which this world began; the journal is emptied. */
  reset(): void;

  /**
   * Answers a request as the stub would over HTTP, without a socket; a path alone will do. Rejects with a TypeError where
   * the response breaks off, and with the reason of its signal where the client gives up before it comes.
   */
  fetch(input: globalThis.Request | URL | string, init?: RequestInit): Promise<globalThis.Response>;

  /** Ends a fork, or the server with all its worlds once what is in flight is answered. */
  close(): Promise<void>;
}

/** An entry of a plan, as scenarios have it. */
export type PlanEntry = components["schemas"]["PlanEntry"];
/** An operation of the contract. */
export type OperationId = components["schemas"]["OperationId"];
/** Faults in which the command takes effect and its client does not learn it. */
export type NamedFault = NonNullable<PlanEntry["fault"]>;
/** What some calls of an operation are answered: `nth` and `times` are 1 unless they are given. */
export type FaultEntry = Pick<PlanEntry, "after" | "instead" | "match" | "nth" | "times">;

/** The virtual time of a world. */
export interface UnderstudyClock {
  /** The present moment. */
  readonly now: Date;
  /** Lets virtual time pass: an ISO-8601 duration of hours, minutes and seconds such as `PT30S`. Throws RangeError. */
  advance(duration: string): void;
}

/** Where a contract goes. */
export interface ReassignmentTarget {
  /** Alias of a synchronizer of the ledger fixture. */
  readonly to: string;
  /** How long the contract is on its way, in virtual time; until it is completed when left out. */
  readonly for?: string;
}

/** A contract that is on its way between synchronizers; `using` ends it with its block. */
export interface Reassignment extends Disposable {
  /** Assigns the contract to the synchronizer that it is on its way to. Throws RangeError when it is there already. */
  complete(): void;
}
