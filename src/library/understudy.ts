import { worldJson } from "../control/control.ts";
import { defaultWorldId, type HostedWorld, type Hosting } from "../hosting/hosting.ts";
import { beginReassignment, completeReassignment, type ReassignmentResult } from "../hosting/reassignment.ts";
import type { Exchange } from "../http/exchange.ts";
import type { HeaderList } from "../http/header.ts";
import type { JsonObject } from "../http/json.ts";
import { durationMs } from "../scenario/duration.ts";

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

  /** The exchanges so far, oldest first; the newest 1000 are kept. */
  get journal(): readonly Exchange[] {
    return this.#hosted.journal.exchanges;
  }

  /** The world as the control API shows it: its contracts, holdings, transfer instructions and pre-approvals. */
  get world(): JsonObject {
    return worldJson(this.#hosting, this.#id, this.#hosted);
  }

  /** Virtual time. It stands still until it is advanced, unless the scenario says otherwise. */
  get now(): Date {
    return new Date(this.#hosted.world.state.nowMs);
  }

  /** Lets virtual time pass: an ISO-8601 duration of hours, minutes and seconds such as `PT30S`. Throws RangeError. */
  advance(duration: string): void {
    const byMs = durationMs(duration);
    if (byMs === undefined) throw new RangeError(`${JSON.stringify(duration)} is no duration such as "PT30S"`);
    this.#hosted.world.advanceBy(byMs);
  }

  /**
   * Unassigns a contract of the registry fixture; a lookup that discloses it answers 409 until it is complete.
   * `to` is the alias of a synchronizer of the ledger fixture. Throws RangeError for names that are not there.
   */
  beginReassignment(contract: string, to: string): void {
    throwUnlessDone(beginReassignment(this.#hosted.world, contract, to));
  }

  /** Assigns the contract to the synchronizer that it is on its way to. Throws RangeError when it is on none. */
  completeReassignment(contract: string): void {
    throwUnlessDone(completeReassignment(this.#hosted.world, contract));
  }

  /** A stand-in in the same state, in constant time; neither sees what happens to the other. */
  fork(): Understudy {
    const id = this.#hosting.fork(this.#id);
    if (id === undefined) throw new RangeError("the limit of worlds is reached; close some forks");
    return new Understudy(this.#hosting, id, this.#rootUrl, this.#closeServer);
  }

  /** Back to the state in which this world began; the journal is emptied. */
  reset(): void {
    this.#hosted.world.reset();
    this.#hosted.journal.clear();
  }

  /** Answers a request as the stub would over HTTP, without a socket; a path alone will do. Rejects with a TypeError where the answer breaks off. */
  async fetch(input: globalThis.Request | URL | string, init?: RequestInit): Promise<globalThis.Response> {
    if (!this.#hosting.worlds.has(this.#id)) throw new RangeError(closed);
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

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
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
