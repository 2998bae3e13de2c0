import { worldJson } from "../control/control.ts";
import { defaultWorldId, type HostedWorld, type Hosting, worldsMax } from "../hosting/hosting.ts";
import { beginReassignment, completeReassignment, type ReassignmentResult } from "../hosting/reassignment.ts";
import type { HeaderList } from "../http/header.ts";
import { type Json, type JsonObject, parseJson } from "../http/json.ts";
import type { JournalEntry } from "../journal/journal-entry.ts";
import { durationMs } from "../scenario/duration.ts";
import type { components } from "../scenario/generated/plan-types.ts";
import { planFromNow } from "../scenario/plan-from-now.ts";

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

const closed = "this stand-in is closed";

/** An isolated stand-in for a participant node and a token registry: one world and its journal. */
export class Understudy {
  /** Base URL of the ledger; the paths of the document follow it. */
  readonly ledgerUrl: string;
  /** Base URL of the registry; the same as the ledger's. */
  readonly registryUrl: string;
  readonly #hosting: Hosting;
  readonly #id: string;
  readonly #rootUrl: string;
  readonly #closeServer: () => Promise<void>;

  /** @internal Use `startUnderstudy` or `createUnderstudy`. */
  constructor(hosting: Hosting, id: string, rootUrl: string, closeServer: () => Promise<void>) {
    this.#hosting = hosting;
    this.#id = id;
    this.#rootUrl = rootUrl;
    this.#closeServer = closeServer;
    this.ledgerUrl = id === defaultWorldId ? rootUrl : `${rootUrl}/w/${id}`;
    this.registryUrl = this.ledgerUrl;
  }

  /** The exchanges of this world so far, oldest first, each with its operation and virtual time; the newest 1000 are kept. */
  get journal(): readonly JournalEntry[] {
    return this.#hosted.journal.exchanges;
  }

  /** The world as the control API shows it: its contracts, holdings, transfer instructions and pre-approvals. */
  get world(): JsonObject {
    return worldJson(this.#hosting, this.#id, this.#hosted);
  }

  /** Virtual time. It stands still until it is advanced, unless settings or scenario say otherwise. */
  get clock(): UnderstudyClock {
    const { world } = this.#hosted;
    return {
      now: new Date(world.state.nowMs),
      advance: (duration) => world.advanceBy(millisecondsOf(duration)),
    };
  }

  /**
   * Unassigns a contract of the registry fixture, by its name there; a lookup that discloses it answers 409 until it is
   * assigned to the synchronizer with the alias `to`: by `complete()`, at the end of a `using` block, or by itself when
   * virtual time has passed by `for`. Throws RangeError for names that are not there.
   *
   * @example
   * {
   *   using window = understudy.reassign("external-party-amulet-rules", { to: "synchronizer-b" });
   *   await expect(lookup()).rejects.toThrow("being reassigned");
   * }
   */
  reassign(contract: string, where: ReassignmentTarget): Reassignment {
    const { world } = this.#hosted;
    const lastsMs = where.for === undefined ? undefined : millisecondsOf(where.for);
    throwUnlessDone(beginReassignment(world, contract, where.to));
    if (lastsMs !== undefined)
      world.plan({
        timed: [{ atMs: world.state.nowMs + lastsMs, change: { type: "reassignment-completed", contract } }],
        calls: [],
        answers: [],
      });
    return {
      complete: () => throwUnlessDone(completeReassignment(this.#hosted.world, contract)),
      [Symbol.dispose]: () => this.#completeIfInFlight(contract),
    };
  }

  /**
   * Lets the next call of an operation go wrong, or what `nth`, `times` and `match` say: a named fault, or an answer
   * `instead` of its effect or `after` it. Throws RangeError for what cannot be.
   *
   * @example
   * understudy.fault("postV2Interactive-submissionExecuteandwait", "commit-then-timeout");
   * understudy.fault("getTransferFactory", { instead: { status: 503, body: { error: "busy" } }, times: 2 });
   */
  fault(on: OperationId, what: NamedFault | FaultEntry): void {
    this.plan({ on, ...(typeof what === "string" ? { fault: what } : what) });
  }

  /**
   * Plans what else happens by itself, with entries as a scenario's plan has them: times and calls count from now.
   * Throws RangeError that lists all mistakes; then nothing is planned.
   *
   * @example
   * understudy.plan({ at: "PT30S", deactivateUser: "alice" });
   */
  plan(...entries: readonly PlanEntry[]): void {
    const { world } = this.#hosted;
    const planned = planFromNow(entries.map(jsonOf), world.state);
    if (planned.type === "mistaken") throw new RangeError(planned.problems.join("\n"));
    world.plan(planned.events);
  }

  /** A stand-in in the same state, in constant time; neither sees what happens to the other. */
  fork(): Understudy {
    const id = this.#hosting.fork(this.#id);
    if (id !== undefined) return new Understudy(this.#hosting, id, this.#rootUrl, this.#closeServer);
    throw new RangeError(
      this.isClosed ? closed : `there are ${worldsMax} worlds, which is the limit; close some forks`,
    );
  }

  /** Back to the state in which this world began; the journal is emptied. */
  reset(): void {
    this.#hosted.world.reset();
    this.#hosted.journal.clear();
  }

  /** Answers a request as the stub would over HTTP, without a socket; a path alone will do. Rejects with a TypeError where the answer breaks off. */
  async fetch(input: globalThis.Request | URL | string, init?: RequestInit): Promise<globalThis.Response> {
    if (this.isClosed) throw new RangeError(closed);
    const isRelative = typeof input === "string" && input.startsWith("/");
    const request = new Request(isRelative ? `${this.ledgerUrl}${input}` : input, init);
    const { pathname, search } = new URL(request.url);
    const answer = await this.#hosting.handler({
      method: request.method,
      target: `${pathname}${search}`,
      headers: [...request.headers, ...this.#addressed(pathname)],
      body: new Uint8Array(await request.arrayBuffer()),
    });
    if (answer.type === "broken") throw new TypeError(`fetch failed: the answer was ${answer.kind}`);
    const isEmpty = answer.body.length === 0 || request.method === "HEAD";
    const headers = answer.headers.map(([name, value]): [string, string] => [name, value]);
    return new Response(isEmpty ? null : new Uint8Array(answer.body), { status: answer.status, headers });
  }

  /** Ends a fork, or the server with all its worlds once what is in flight is answered. */
  async close(): Promise<void> {
    if (this.#id !== defaultWorldId) this.#hosting.remove(this.#id);
    else {
      this.#hosting.close();
      await this.#closeServer();
    }
  }

  /** Whether this world has ended; then whatever needs it throws RangeError. */
  get isClosed(): boolean {
    return !this.#hosting.worlds.has(this.#id);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #completeIfInFlight(contract: string): void {
    const hosted = this.#hosting.worlds.get(this.#id);
    if (hosted?.world.state.registry.contracts.get(contract)?.assignment.type === "in-flight")
      hosted.world.completeReassignment(contract);
  }

  get #hosted(): HostedWorld {
    const hosted = this.#hosting.worlds.get(this.#id);
    if (hosted === undefined) throw new RangeError(closed);
    return hosted;
  }

  #addressed(pathname: string): HeaderList {
    return pathname.startsWith("/w/") ? [] : [["Understudy-World", this.#id]];
  }
}

function throwUnlessDone(result: ReassignmentResult): void {
  if (result.type !== "done") throw new RangeError(result.problem);
}

function millisecondsOf(duration: string): number {
  const ms = durationMs(duration);
  if (ms === undefined) throw new RangeError(`${JSON.stringify(duration)} is no duration such as "PT30S"`);
  return ms;
}

/** What a program gives as JSON has it: members that are undefined are not there. */
function jsonOf(entry: PlanEntry): Json {
  return parseJson(JSON.stringify(entry));
}
