import type { Exchange } from "../../foundation/http/exchange.ts";
import type { FailedResponse } from "../../foundation/http/failed-response.ts";
import type { Handler } from "../../foundation/http/handler.ts";
import type { Request } from "../../foundation/http/request.ts";
import type { Response } from "../../foundation/http/response.ts";
import type { Api } from "../../foundation/spec/contracts.ts";
import { timestampOf } from "../../foundation/text/timestamp.ts";
import { retryAfterOf } from "./retry-after.ts";

/** Why a target is unreachable, and what to do about it. */
interface Unreachability {
  readonly reason: string;
  readonly remedy?: string | undefined;
}

/** Consecutive requests without a complete response; then no further request is sent. */
const failuresMax = 3;

/** Milliseconds that one request waits because of Retry-After, at most. */
const waitMsMax = 30_000;
/** Milliseconds between checks for an interruption during a wait. */
const napMs = 500;

/** Where an API is served. */
interface Endpoint {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly handler: Handler;
}

export type Endpoints = Readonly<Partial<Record<Api, Endpoint>>>;

export interface RateLimitOptions {
  readonly endpoints: Endpoints;
  /** Requests per second, at most. */
  readonly ratePerSecond: number;
  readonly requestsMax: number;
  /** Identifies the tool in the log of the target. */
  readonly userAgent: string;
  nowMs(): number;
  /** Whether the user interrupted the check; then no further request is sent. */
  isStopped(): boolean;
  wait(durationMs: number): Promise<void>;
  /** Why the target is unreachable, by an error that a handler threw; undefined for any other error. */
  whyUnreachable(error: unknown): Unreachability | undefined;
}

/** Consecutive requests without a complete response, and the reason of the last. */
interface FailureStreak {
  readonly count: number;
  readonly reason: string;
  /** Set if the connection failed. Otherwise the response was late or incomplete. */
  readonly unreachable?: Unreachability;
}

/** Thrown instead of sending a request; the message is the reason. */
export class Halt extends Error {
  constructor(why: string) {
    super(why);
    this.name = "Halt";
  }
}

/** Sends one request at a time, limited in number and rate, and stops sending to an API that does not respond. */
export class RateLimitedClient {
  readonly #options: RateLimitOptions;
  readonly #failures = new Map<Api, FailureStreak>();
  readonly #hanging = new Set<string>();
  /** APIs that asked for a longer wait than the limit, with the reason to stop. */
  readonly #busy = new Map<Api, string>();
  #requests = 0;
  #nextMs = Number.NEGATIVE_INFINITY;

  constructor(options: RateLimitOptions) {
    this.#options = options;
  }

  get requests(): number {
    return this.#requests;
  }

  get isStopped(): boolean {
    return this.#options.isStopped();
  }

  /** Why the connection for the last request to this API failed; undefined if it did not. */
  unreachable(api: Api): Unreachability | undefined {
    return this.#failures.get(api)?.unreachable;
  }

  /** Why the last request to this API has no complete response; undefined if it has one. */
  failureReason(api: Api): string | undefined {
    return this.#failures.get(api)?.reason;
  }

  /** Whether sending to the API has stopped after `failuresMax` failures in a row. */
  isGivenUp(api: Api): boolean {
    return (this.#failures.get(api)?.count ?? 0) >= failuresMax;
  }

  /**
   * Sends a request and returns the exchange, with the absolute URL as its target. Honours Retry-After; the result is the
   * last exchange. Throws Halt if no request may be sent.
   */
  async send(api: Api, operationId: string, request: Request): Promise<Exchange> {
    let waitedMs = 0;
    for (let attempt = 0; ; attempt += 1) {
      const exchange = await this.#sendOnce(api, operationId, request);
      const waitMs = retryAfterOf(exchange, this.#options.nowMs(), attempt);
      if (waitMs === undefined) return exchange;
      const isRepeated = mayRepeat(api, request, exchange);
      if (isRepeated && waitedMs + waitMs > waitMsMax) this.#stopSending(api, exchange, waitMs);
      waitedMs += waitMs;
      await this.#pause(Math.min(waitMs, waitMsMax));
      if (!isRepeated) return exchange;
    }
  }

  #stopSending(api: Api, { response }: Exchange, waitMs: number): never {
    const status = response.type === "response" ? response.status : "no response";
    const seconds = Math.ceil(waitMs / 1000);
    const reason = `the ${api} is busy: it returned ${status} and asks to wait ${seconds} s, more than the limit of ${waitMsMax / 1000} s per request`;
    this.#busy.set(api, reason);
    throw new Halt(reason);
  }

  async #pause(durationMs: number): Promise<void> {
    for (let left = durationMs; left > 0 && !this.isStopped; left -= napMs)
      await this.#options.wait(Math.min(left, napMs));
  }

  async #sendOnce(api: Api, operationId: string, request: Request): Promise<Exchange> {
    const endpoint = this.#options.endpoints[api];
    if (endpoint === undefined) throw new Error(`invariant: there is no endpoint for the ${api}`);
    this.#check(api, operationId);
    await this.#turn();
    this.#requests += 1;
    const headers = [...request.headers, ["User-Agent", this.#options.userAgent] as const];
    const startedMs = this.#options.nowMs();
    const response = await this.#response(api, operationId, endpoint.handler, { ...request, headers });
    return {
      startedAt: timestampOf(startedMs),
      durationMs: this.#options.nowMs() - startedMs,
      request: { ...request, headers, target: `${endpoint.baseUrl}${request.target}` },
      response,
    };
  }

  #check(api: Api, operationId: string): void {
    if (this.isStopped) throw new Halt("interrupted");
    const busy = this.#busy.get(api);
    if (busy !== undefined) throw new Halt(busy);
    if (this.isGivenUp(api)) throw new Halt(`the ${api} no longer responds`);
    if (this.#hanging.has(operationId)) throw new Halt(`${operationId} timed out before`);
    const { requestsMax } = this.#options;
    if (this.#requests >= requestsMax)
      throw new Halt(`the limit of ${requestsMax} requests was reached (change it with --limit requestsMax)`);
  }

  async #turn(): Promise<void> {
    const { nowMs, wait, ratePerSecond } = this.#options;
    const now = nowMs();
    const at = Math.max(now, this.#nextMs);
    this.#nextMs = Math.min(at, now + 1000 / ratePerSecond) + 1000 / ratePerSecond;
    // Limits the wait to one interval, in case the clock was set back.
    if (at > now) await wait(Math.min(at - now, 1000 / ratePerSecond));
  }

  /** After a time-out, no further request goes to the operation: each would cost the whole time-out. */
  async #response(
    api: Api,
    operationId: string,
    handler: Handler,
    request: Request,
  ): Promise<Response | FailedResponse> {
    const count = (this.#failures.get(api)?.count ?? 0) + 1;
    try {
      const response = await handler(request);
      // Incomplete responses count as failures too.
      if (response.type !== "broken") this.#failures.delete(api);
      else this.#failures.set(api, { count, reason: response.reason ?? response.kind });
      if (response.type === "broken" && response.kind === "timed-out") this.#hanging.add(operationId);
      return response;
    } catch (error) {
      const unreachable = this.#options.whyUnreachable(error);
      if (unreachable === undefined) throw error;
      const { reason } = unreachable;
      this.#failures.set(api, { count, reason, unreachable });
      return { type: "broken", kind: "reset", reason };
    }
  }
}

/** Whether a repetition is safe: a 429 was refused without an effect; after a 503, only reading is safe. */
function mayRepeat(api: Api, { method }: Request, { response }: Exchange): boolean {
  return (response.type === "response" && response.status === 429) || api === "registry" || method === "GET";
}
