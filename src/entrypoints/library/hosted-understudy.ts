import type { CountedClientFinding } from "../../checker/client-rules/client-finding.ts";
import { checkClientRules } from "../../checker/engine/client-checker.ts";
import { Body } from "../../foundation/http/body.ts";
import type { HeaderList } from "../../foundation/http/header.ts";
import { type Json, parseJson, writeLongInteger } from "../../foundation/json/json.ts";
import type { OperationId } from "../../foundation/spec/generated/names.ts";
import type { ProfileNames } from "../../foundation/spec/spec.ts";
import { durationMs } from "../../foundation/text/duration.ts";
import { planFromNow } from "../../scenarios/files/plan/plan-from-now.ts";
import type { World } from "../../simulator/world/world.ts";
import { type UnusedPlannedResponse, unusedResponses } from "../../simulator/world/world-state.ts";
import { type WorldSnapshot, worldSnapshot } from "../../stub/control/world-snapshot.ts";
import type { HostedWorld } from "../../stub/hosting/hosted-world.ts";
import type { Hosting } from "../../stub/hosting/hosting.ts";
import { beginReassignment, completeReassignment, type ReassignmentResult } from "../../stub/hosting/reassignment.ts";
import { tap } from "../../stub/hosting/tap.ts";
import { defaultWorldId } from "../../stub/hosting/world-id.ts";
import type { JournalEntry } from "../../stub/journal/journal-entry.ts";
import { mintToken } from "../../stub/tokens/mint-token.ts";
import { audienceOf } from "../../stub/tokens/verify-token.ts";
import { forUser, withoutOwnFrames } from "./for-user.ts";
import { localnetAudience } from "./localnet-names.ts";
import { shown } from "./option-checks.ts";
import { transmitted } from "./transmitted.ts";
import type {
  FaultEntry,
  NamedFault,
  PlanEntry,
  Reassignment,
  ReassignmentTarget,
  Understudy,
  UnderstudyClock,
} from "./understudy.ts";
import { jwtSecretOf, type UnderstudyOptions } from "./understudy-options.ts";

/** Statuses whose responses have no body, even if the plan has one. */
const withoutBody: readonly number[] = [204, 205, 304];

const closed =
  "this stub is closed. Use it before its close(), and inside of the block of its `using`; a new stub or fork() gives another one.";
const absent =
  'this world is not in this process now. Send a request first, such as await understudy.fetch("/v2/version"): it takes the world out of the store again.';

/** What all worlds of a stub share. */
interface UnderstudyServer {
  readonly rootUrl: string;
  /** Secret of tokens (HS256) with `auth: "jwt"`. */
  readonly jwtSecret: string;
  /** Audience of tokens; undefined for that of the participant. */
  readonly audience: string | undefined;
  /** Closes the server's socket, if it has one. */
  close(): Promise<void>;
}

/** For stubs that only `fetch` reaches. */
export function withoutSocket(options: UnderstudyOptions): UnderstudyServer {
  return { rootUrl: "http://understudy.invalid", ...tokensOf(options), close: async () => undefined };
}

/** What signs the tokens that the stub accepts. */
export function tokensOf(options: UnderstudyOptions): Pick<UnderstudyServer, "jwtSecret" | "audience"> {
  return { jwtSecret: jwtSecretOf(options), audience: options.localnet === true ? localnetAudience : undefined };
}

/** The public interface of one world of a hosting. */
export class HostedUnderstudy implements Understudy {
  readonly ledgerUrl: string;
  readonly registryUrl: string;
  readonly #hosting: Hosting;
  readonly #id: string;
  readonly #server: UnderstudyServer;
  /** The stub whose closing closes this one; undefined for the default world. */
  readonly #original: Understudy | undefined;
  #closing: Promise<void> | undefined;

  constructor(hosting: Hosting, id: string, server: UnderstudyServer, original?: Understudy) {
    const { rootUrl } = server;
    this.#hosting = hosting;
    this.#id = id;
    this.#server = server;
    this.#original = original;
    this.ledgerUrl = id === defaultWorldId ? rootUrl : `${rootUrl}/w/${id}`;
    this.registryUrl = this.ledgerUrl;
  }

  get journal(): readonly JournalEntry[] {
    return this.#hosted.journal.exchanges;
  }

  get profile(): ProfileNames {
    return this.#hosting.profile;
  }

  get world(): WorldSnapshot {
    return worldSnapshot(this.#hosting, this.#id, this.#current());
  }

  get clock(): UnderstudyClock {
    const { world } = this.#current();
    return {
      now: new Date(world.state.nowMs),
      advance: (duration) => {
        world.advanceBy(forUser(() => millisecondsOf(duration)));
        this.#hosting.changed(this.#id);
      },
    };
  }

  clientFindings(): readonly CountedClientFinding[] {
    const { journal, isWhole } = this.#hosted;
    return checkClientRules(this.#hosting.wholeSpec, journal.exchanges, { isWhole: isWhole && journal.dropped === 0 });
  }

  reassign(contract: string, where: ReassignmentTarget): Reassignment {
    const { world } = this.#current();
    if (!isObject(where) || typeof where.to !== "string")
      throw new RangeError(
        `reassign needs the target of ${shown(contract)}, but received ${shown(where)}. Write understudy.reassign("CONTRACT", { to: "SYNCHRONIZER" }).`,
      );
    const lastsMs = where.for === undefined ? undefined : millisecondsOf(where.for);
    throwUnlessDone(beginReassignment(world, contract, where.to));
    if (lastsMs !== undefined)
      world.plan({
        timed: [{ atMs: world.state.nowMs + lastsMs, change: { type: "reassignment-completed", contract } }],
        calls: [],
        responses: [],
      });
    const began = assignmentIn(world, contract);
    this.#hosting.changed(this.#id);
    return {
      complete: () => {
        if (assignmentIn(this.#current().world, contract) !== began)
          throw new RangeError(`this reassignment of ${JSON.stringify(contract)} is already complete`);
        throwUnlessDone(completeReassignment(this.#hosted.world, contract));
        this.#hosting.changed(this.#id);
      },
      [Symbol.dispose]: () => {
        const hosted = this.#hosting.worlds.get(this.#id);
        hosted?.world.elapse();
        if (hosted === undefined || assignmentIn(hosted.world, contract) !== began) return;
        throwUnlessDone(completeReassignment(hosted.world, contract));
        this.#hosting.changed(this.#id);
      },
    };
  }

  tap(party: string, amount: string, of: { readonly instrument?: string } = {}): ReturnType<Understudy["tap"]> {
    const { world } = this.#current();
    const given: readonly unknown[] = isObject(of) ? [party, amount, of.instrument ?? ""] : [party, amount, of];
    if (given.some((one) => typeof one !== "string"))
      throw new RangeError(
        `tap needs texts, but received ${given.map(shown).join(", ")}. Write understudy.tap("PARTY", "100.5", { instrument: "ID" }).`,
      );
    const result = tap(world, { party, amount, instrument: of.instrument });
    if (result.type !== "done") throw withoutOwnFrames(new RangeError(result.problem));
    this.#hosting.changed(this.#id);
    return { contractId: result.contractId, updateId: result.updateId };
  }

  fault(on: OperationId | "any", what: NamedFault | FaultEntry): void {
    if (typeof what !== "string" && !isObject(what))
      throw new RangeError(
        `fault needs what happens, but received ${shown(what)}. Write understudy.fault("getV2Users", { status: 503 }).`,
      );
    if (typeof what !== "string" && "delay" in what)
      throw new RangeError(`a delay belongs into after. Write { after: { delay: "${delayText(what.delay)}" } }.`);
    this.plan({ on, ...(typeof what === "string" ? { fault: what } : withoutShortForm(what)) });
  }

  unusedResponses(): readonly UnusedPlannedResponse[] {
    return unusedResponses(this.#hosted.world.whole);
  }

  async token(of: { readonly user: string }): Promise<string> {
    const user = isObject(of) ? of.user : undefined;
    if (typeof user !== "string") throw new RangeError('token needs the id of a user: token({ user: "alice" }).');
    if (this.#hosting.auth !== "jwt") return user;
    const { nowMs, ledger } = this.#current().world.state;
    return mintToken(
      {
        userId: user,
        audience: this.#server.audience ?? audienceOf(ledger.participantId),
        scope: undefined,
        issuer: undefined,
        issuedAtMs: nowMs,
        // Valid for the stub and for a client that compares with its own clock.
        expiresAtMs: Math.max(nowMs, this.#hosting.wallNowMs()) + tokenLifetimeMs,
      },
      { secret: this.#server.jwtSecret },
    );
  }

  plan(...entries: readonly PlanEntry[]): void {
    const { world } = this.#current();
    const planned = planFromNow(entries.map(jsonOf), world.whole);
    if (planned.type === "invalid") throw withoutOwnFrames(new RangeError(planned.problems.join("\n")));
    world.plan(planned.events);
    this.#hosting.changed(this.#id);
  }

  fork(): Understudy {
    const id = this.#hosting.fork(this.#id);
    if (id !== undefined) return new HostedUnderstudy(this.#hosting, id, this.#server, this.#original ?? this);
    const { worldsMax } = this.#hosting.limits.values;
    const crowded = `${worldsMax} worlds are open, which is the limit worldsMax. Close some forks, or raise the limit with the option limits.`;
    throw withoutOwnFrames(new RangeError(this.#problem ?? crowded));
  }

  reset(): void {
    if (this.#problem !== undefined) throw withoutOwnFrames(new RangeError(this.#problem));
    this.#hosting.reset(this.#id);
  }

  async fetch(input: globalThis.Request | URL | string, init?: RequestInit): Promise<globalThis.Response> {
    if (this.isClosed) throw new RangeError(closed);
    const isRelative = typeof input === "string" && input.startsWith("/");
    if (!isRelative && !isObject(input) && !URL.canParse(input))
      throw new RangeError(`fetch needs a path or a URL, but received ${shown(input)}. Write fetch("/v2/users").`);
    const request = new Request(isRelative ? `${this.ledgerUrl}${input}` : input, init);
    const { pathname, search } = new URL(request.url);
    const body = new Uint8Array(await request.arrayBuffer());
    request.signal.throwIfAborted();
    const asked = {
      method: request.method,
      target: `${pathname}${search}`,
      headers: [...request.headers, ...this.#addressed(pathname)],
      body: new Body(body),
    };
    const responding = this.#hosting.handler(asked, { signal: request.signal });
    const response = await unlessAborted(responding, request.signal);
    if (response.type === "broken") throw new TypeError(`fetch failed: the response was cut off (${response.kind})`);
    const isEmpty =
      response.body.storedLength === 0 || request.method === "HEAD" || withoutBody.includes(response.status);
    const headers = response.headers.map(([name, value]): [string, string] => [name, value]);
    const content = isEmpty ? null : transmitted(response.body.bytes(), response.transmission, request.signal);
    return new Response(content, { status: response.status, headers });
  }

  async close(): Promise<void> {
    this.#closing ??= this.#original === undefined ? this.#closeAll() : this.#remove();
    await this.#closing;
  }

  async #closeAll(): Promise<void> {
    this.#hosting.close();
    await this.#server.close();
  }

  async #remove(): Promise<void> {
    // A fork that was given back to the store is taken again, so that it is removed there too.
    if (!this.#hosting.worlds.has(this.#id)) await this.#hosting.kept?.take(this.#id);
    this.#hosting.remove(this.#id);
  }

  get isClosed(): boolean {
    if (this.#closing !== undefined || this.#original?.isClosed === true) return true;
    // A world in memory that expired or was removed over HTTP does not come back.
    return this.#hosting.kept === undefined && !this.#hosting.worlds.has(this.#id);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  get #hosted(): HostedWorld {
    const hosted = this.#hosting.worlds.get(this.#id);
    if (hosted === undefined || this.isClosed) throw withoutOwnFrames(new RangeError(this.#problem));
    return hosted;
  }

  /** The world, with its clock as of now. */
  #current(): HostedWorld {
    const hosted = this.#hosted;
    hosted.world.elapse();
    return hosted;
  }

  /** Why this world cannot be used now; undefined if it can. */
  get #problem(): string | undefined {
    if (this.isClosed) return closed;
    return this.#hosting.worlds.has(this.#id) ? undefined : absent;
  }

  #addressed(pathname: string): HeaderList {
    return pathname.startsWith("/w/") ? [] : [["Understudy-World", this.#id]];
  }
}

const tokenLifetimeMs = 24 * 3600 * 1000;

/** The entry with its response as `instead`. Throws RangeError if it has both forms. */
function withoutShortForm({ status, error, body, contentType, headers, ...entry }: FaultEntry): Omit<PlanEntry, "on"> {
  const short = Object.entries({ status, error, body, contentType, headers }).filter(
    ([, value]) => value !== undefined,
  );
  const [first] = short;
  if (first === undefined) return entry;
  const other = ["instead", "after"].find((name) => name in entry);
  if (other !== undefined)
    throw new RangeError(
      `the entry has ${first[0]} and ${other}. Write ${first[0]} within ${other}: it is part of one response.`,
    );
  return { ...entry, instead: Object.fromEntries(short) };
}

/** A duration for a delay that is a number of milliseconds or a text; an example for another value. */
function delayText(delay: unknown): string {
  if (typeof delay === "number" && delay >= 0 && delay < 1e9) return `PT${delay / 1000}S`;
  return typeof delay === "string" && delay.startsWith("PT") ? delay : "PT0.5S";
}

/** Whether an argument is an object; programs in JavaScript may give anything. */
function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** Assignment of a contract. The object is the same until the assignment changes, so it identifies a reassignment. */
function assignmentIn({ state }: World, contract: string) {
  return state.registry.contracts.get(contract)?.assignment;
}

/** Rejects as soon as the request is aborted, although the stub still processes it. */
async function unlessAborted<Value>(responding: Value | Promise<Value>, signal: AbortSignal): Promise<Value> {
  if (!(responding instanceof Promise)) return responding;
  return await new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    responding.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

function throwUnlessDone(result: ReassignmentResult): void {
  if (result.type !== "done") throw withoutOwnFrames(new RangeError(result.problem));
}

function millisecondsOf(duration: string): number {
  const ms = durationMs(duration);
  if (ms === undefined)
    throw new RangeError(
      `${JSON.stringify(duration)} is not a valid duration. Use hours, minutes and seconds, such as "PT30S".`,
    );
  return ms;
}

/** The entry as JSON: members with the value undefined are dropped. */
function jsonOf(entry: PlanEntry): Json {
  return parseJson(JSON.stringify(entry, writeLongInteger) ?? "null");
}
