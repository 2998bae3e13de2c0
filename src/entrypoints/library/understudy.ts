import type { CountedClientFinding } from "../../checker/client-rules/client-finding.ts";
import type { OperationId } from "../../foundation/spec/generated/names.ts";
import type { ProfileNames } from "../../foundation/spec/spec.ts";
import type { components } from "../../scenarios/files/generated/plan-types.ts";
import type { UnusedPlannedResponse } from "../../simulator/world/world-state.ts";
import type { WorldSnapshot } from "../../stub/control/world-snapshot.ts";
import type { JournalEntry } from "../../stub/journal/journal-entry.ts";

/** An isolated stub of a participant node and a token registry: one world and its journal. `await using` closes it. */
export interface Understudy extends AsyncDisposable {
  /** Base URL of the ledger; append the paths of the spec. */
  readonly ledgerUrl: string;
  /** Base URL of the registry; the same as the ledger's. */
  readonly registryUrl: string;
  /** Releases that the stub behaves like. */
  readonly profile: ProfileNames;
  /**
   * Exchanges of this world, oldest first, each with its operation and virtual time; the newest 1000 are kept.
   *
   * @example
   * const [entry] = understudy.journal;
   * expect(entry?.response.status).toBe(200);
   * const page = entry?.response.body?.json<UsersPage>();
   */
  readonly journal: readonly JournalEntry[];
  /**
   * The current state of the world, as the control API shows it: users with their rights, parties, packages, synchronizers,
   * contracts, holdings, transfer instructions and pre-approvals. A copy: later changes are not visible in it.
   */
  readonly world: WorldSnapshot;
  /** Virtual time. It is frozen until `advance` is called, unless the option `clock` or the scenario lets it run. */
  readonly clock: UnderstudyClock;
  /**
   * Client rules that the application breaks in this world's journal, with the first exchange and the count of each.
   * Exchanges before the fork are not checked. If there are any, a rule that depends on them reports a warning, not an error.
   */
  clientFindings(): readonly CountedClientFinding[];

  /**
   * Returns a bearer token of a user: with `auth: "jwt"` signed, and valid for 24 hours from the later of virtual and real
   * time; else the user's id. The user need not exist: a token of an unknown user is refused like on a node.
   *
   * @example
   * const headers = { Authorization: `Bearer ${await understudy.token({ user: "alice" })}` };
   */
  token(of: { readonly user: string }): Promise<string>;

  /**
   * Whether this world is closed. All other members that use the world then throw RangeError. With the option `store`, they
   * also throw while the world is not in this process; `fetch` takes it again.
   */
  readonly isClosed: boolean;

  /**
   * Starts the reassignment of a contract of the registry fixture, given by its name there. A lookup that discloses the
   * contract returns 409 until it is assigned to the synchronizer with the alias `to`: by `complete()`, at the end of a
   * `using` block, or after the duration `for` of virtual time. Throws RangeError for unknown names.
   *
   * @example
   * {
   *   using window = understudy.reassign("external-party-amulet-rules", { to: "synchronizer-b" });
   *   await expect(lookup()).rejects.toThrow("being reassigned");
   * }
   */
  reassign(contract: string, where: ReassignmentTarget): Reassignment;

  /**
   * Gives tokens to a party: a transaction on the participant that hosts it creates a holding. `amount` is a decimal. Name
   * the instrument if the registry has several. Returns the ids of the holding and of the transaction. Throws RangeError for
   * an unknown party or instrument, or an invalid amount; the world is then unchanged.
   *
   * @example
   * const { contractId } = understudy.tap("alice::1220ab", "100.5");
   * understudy.tap("alice::1220ab", "20", { instrument: "USDX" });
   */
  tap(
    party: string,
    amount: string,
    of?: { readonly instrument?: string },
  ): { readonly contractId: string; readonly updateId: string };

  /**
   * Injects a fault into the next call of an operation (`any`: of all operations), or into the calls that `nth`, `times` and `match` select: a named
   * fault, a planned response `instead` of the effect or `after` it, or a network fault. If several faults are due at one call, the newest
   * applies and all of them are used up. Throws RangeError for an invalid fault.
   *
   * @example
   * understudy.fault("postV2Interactive-submissionExecuteandwait", "commit-then-timeout");
   * understudy.fault("getV2Users", { status: 503 });
   * understudy.fault("getV2Users", { status: 429, headers: { "Retry-After": 5 } });
   * understudy.fault("getTransferFactory", { status: 503, body: { error: "busy" }, times: 2 });
   * understudy.fault("any", { after: { delay: { latency: "PT0.2S", jitter: "PT0.1S" }, bandwidth: 1024 }, times: "all" });
   */
  fault(on: OperationId | "any", what: NamedFault | FaultEntry): void;

  /**
   * Adds events to the plan, in the form that scenarios use: times and calls count from now.
   * Throws a RangeError that lists all problems; the plan is then unchanged.
   *
   * @example
   * understudy.plan({ at: "PT30S", deactivateUser: "alice" });
   */
  plan(...entries: readonly PlanEntry[]): void;

  /** Planned responses that no request received until now, from `fault`, `plan` and the scenario. */
  unusedResponses(): readonly UnusedPlannedResponse[];

  /** Creates a stub in the same state, in constant time. Later changes in one are not visible in the other. */
  fork(): Understudy;

  /** Restores the initial state of this world and clears its journal. */
  reset(): void;

  /**
   * Sends a request to the stub without a socket; `input` can be a path. The response is the same as over HTTP. Rejects
   * with a TypeError if the response is cut off, and with the reason of the signal if the request is aborted first.
   */
  fetch(input: globalThis.Request | URL | string, init?: RequestInit): Promise<globalThis.Response>;

  /** Closes a fork. On the original stub: closes the server and all its worlds after the requests in flight are finished. */
  close(): Promise<void>;
}

/** An entry of a plan, in the form that scenarios use. */
export type PlanEntry = components["schemas"]["PlanEntry"];
/** Named fault: the command takes effect, but the client does not receive the result. */
export type NamedFault = NonNullable<PlanEntry["fault"]>;
/** A planned response to some calls of an operation. `nth` and `times` default to 1. `{ status: 503 }` is short for `{ instead: { status: 503 } }`. */
export interface FaultEntry
  extends Pick<PlanEntry, "after" | "instead" | "match" | "nth" | "times">,
    Pick<components["schemas"]["PlannedResponse"], "status" | "error" | "body" | "contentType" | "headers"> {}

/** The virtual time of a world. */
export interface UnderstudyClock {
  /** Current virtual time. */
  readonly now: Date;
  /** Advances virtual time by an ISO-8601 duration of hours, minutes and seconds, such as `PT30S`. Throws RangeError for another form. */
  advance(duration: string): void;
}

/** Target and duration of a reassignment. */
export interface ReassignmentTarget {
  /** Alias of a synchronizer of the ledger fixture. */
  readonly to: string;
  /** Duration in virtual time, such as `PT12S`. Default: until `complete()` is called. */
  readonly for?: string;
}

/** A reassignment in progress; `using` completes it at the end of its block. */
export interface Reassignment extends Disposable {
  /** Assigns the contract to the target synchronizer. Throws RangeError if this reassignment is already complete. */
  complete(): void;
}
