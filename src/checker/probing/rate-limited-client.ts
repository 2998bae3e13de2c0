import type { Exchange } from "../../foundation/http/exchange.ts";
import type { FailedResponse } from "../../foundation/http/failed-response.ts";
import type { Handler } from "../../foundation/http/handler.ts";
import type { Request } from "../../foundation/http/request.ts";
import type { Response } from "../../foundation/http/response.ts";
import type { Api } from "../../foundation/spec/contracts.ts";
import { retryAfterOf } from "./retry-after.ts";

/** Requests in a row to which nothing came; then the target is left alone. */
export const silentMax = 3;

/** The longest that one request waits because the target asks for it. */
const waitMsMax = 30_000;
/** How long a wait lasts at most before somebody who wants to end is heard. */
const napMs = 500;

/** Where an API is served. */
export interface Endpoint {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly handler: Handler;
}

export type Endpoints = Readonly<Partial<Record<Api, Endpoint>>>;

export interface RateLimitOptions {
  readonly endpoints: Endpoints;
  /** Requests in a second, at most. */
  readonly ratePerSecond: number;
  readonly requestsMax: number;
  /** Names the tool to whoever reads the target's log. */
  readonly userAgent: string;
  nowMs(): number;
  /** Whether the user wants to end; then no further request goes out. */
  isStopped(): boolean;
  wait(durationMs: number): Promise<void>;
  /** Why nothing listens, read from what a handler threw; undefined where that is another error. */
  whyUnreachable(error: unknown): string | undefined;
}

/** Requests in a row that brought nothing, and why the last of them did. */
interface Silence {
  readonly inARow: number;
  readonly why: string;
  /** Whether nobody took it; otherwise it was slow or broke off. */
  readonly isUnreachable: boolean;
}

/** No further request goes out, for this reason. */
export class Halt extends Error {
  constructor(why: string) {
    super(why);
    this.name = "Halt";
  }
}

/** Sends one request at a time, not too many and not too fast, and leaves alone what does not respond. */
export class RateLimitedClient {
  readonly #options: RateLimitOptions;
  readonly #silent = new Map<Api, Silence>();
  readonly #hanging = new Set<string>();
  /** Why an API that is too busy is left alone. */
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

  /** Why nobody took the last request to this API; undefined where somebody did. */
  unreachable(api: Api): string | undefined {
    const silence = this.#silent.get(api);
    return silence?.isUnreachable === true ? silence.why : undefined;
  }

  /** Why nothing came of the last request to this API; undefined where something did. */
  whySilent(api: Api): string | undefined {
    return this.#silent.get(api)?.why;
  }

  /** Whether the API is left alone, since nothing came of so many requests in a row. */
  isGivenUp(api: Api): boolean {
    return (this.#silent.get(api)?.inARow ?? 0) >= silentMax;
  }

  /**
   * The exchange, its request with the whole URL; where the target asks to come again later, the one that came of it.
   * Throws Halt where no request may go out.
   */
  async ask(api: Api, operationId: string, request: Request): Promise<Exchange> {
    let waitedMs = 0;
    for (let attempt = 0; ; attempt += 1) {
      const exchange = await this.#askOnce(api, operationId, request);
      const waitMs = retryAfterOf(exchange, this.#options.nowMs(), attempt);
      if (waitMs === undefined) return exchange;
      const isRepeated = isHarmless(api, request, exchange);
      if (isRepeated && waitedMs + waitMs > waitMsMax) this.#leaveAlone(api, exchange, waitMs);
      waitedMs += waitMs;
      await this.#pause(Math.min(waitMs, waitMsMax));
      if (!isRepeated) return exchange;
    }
  }

  #leaveAlone(api: Api, { response }: Exchange, waitMs: number): never {
    const status = response.type === "response" ? response.status : "nothing";
    const seconds = Math.ceil(waitMs / 1000);
    const why = `the ${api} is busy: it returned ${status}, and to come again ${seconds} s later would exceed the ${waitMsMax / 1000} s that a request waits`;
    this.#busy.set(api, why);
    throw new Halt(why);
  }

  async #pause(durationMs: number): Promise<void> {
    for (let left = durationMs; left > 0 && !this.isStopped; left -= napMs)
      await this.#options.wait(Math.min(left, napMs));
  }

  async #askOnce(api: Api, operationId: string, request: Request): Promise<Exchange> {
    const endpoint = this.#options.endpoints[api];
    if (endpoint === undefined) throw new Error(`invariant: nobody asks the ${api} that there is not`);
    this.#check(api, operationId);
    await this.#turn();
    this.#requests += 1;
    const headers = [...request.headers, ["User-Agent", this.#options.userAgent] as const];
    const startedMs = this.#options.nowMs();
    const response = await this.#response(api, operationId, endpoint.handler, { ...request, headers });
    return {
      startedAt: new Date(startedMs).toISOString(),
      durationMs: this.#options.nowMs() - startedMs,
      request: { ...request, headers, target: `${endpoint.baseUrl}${request.target}` },
      response,
    };
  }

  #check(api: Api, operationId: string): void {
    if (this.isStopped) throw new Halt("interrupted");
    const busy = this.#busy.get(api);
    if (busy !== undefined) throw new Halt(busy);
    if (this.isGivenUp(api)) throw new Halt(`the ${api} does not respond any more`);
    if (this.#hanging.has(operationId)) throw new Halt(`${operationId} did not respond in time before`);
    const { requestsMax } = this.#options;
    if (this.#requests >= requestsMax)
      throw new Halt(`the limit of ${requestsMax} requests was reached; --requests-max sets another`);
  }

  async #turn(): Promise<void> {
    const { nowMs, wait, ratePerSecond } = this.#options;
    const now = nowMs();
    const at = Math.max(now, this.#nextMs);
    this.#nextMs = Math.min(at, now + 1000 / ratePerSecond) + 1000 / ratePerSecond;
    // A clock that was set back must not make it wait for longer than a turn.
    if (at > now) await wait(Math.min(at - now, 1000 / ratePerSecond));
  }

  /** One that hangs is asked once only, for each such request costs the whole time that it is given. */
  async #response(
    api: Api,
    operationId: string,
    handler: Handler,
    request: Request,
  ): Promise<Response | FailedResponse> {
    const inARow = (this.#silent.get(api)?.inARow ?? 0) + 1;
    try {
      const response = await handler(request);
      // One that breaks off in the same way again and again is left alone as well as one that hangs.
      if (response.type !== "broken") this.#silent.delete(api);
      else this.#silent.set(api, { inARow, why: response.reason ?? response.kind, isUnreachable: false });
      if (response.type === "broken" && response.kind === "timed-out") this.#hanging.add(operationId);
      return response;
    } catch (error) {
      const unreachable = this.#options.whyUnreachable(error);
      if (unreachable === undefined) throw error;
      this.#silent.set(api, { inARow, why: unreachable, isUnreachable: true });
      return { type: "broken", kind: "reset", reason: unreachable };
    }
  }
}

/** Whether the request may come again: a 429 was refused before anything was done, and after a 503 only reading is safe. */
function isHarmless(api: Api, { method }: Request, { response }: Exchange): boolean {
  return (response.type === "response" && response.status === 429) || api === "registry" || method === "GET";
}
