import type { Broken } from "../http/broken.ts";
import type { Exchange } from "../http/exchange.ts";
import type { Handler } from "../http/handler.ts";
import type { Request } from "../http/request.ts";
import type { Response } from "../http/response.ts";
import type { Api } from "../spec/contracts.ts";

/** Requests in a row to which nothing came; then the target is left alone. */
export const silentMax = 3;

/** Where an API is served. */
export interface Endpoint {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly handler: Handler;
}

export type Endpoints = Readonly<Partial<Record<Api, Endpoint>>>;

export interface PoliteSettings {
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

/** Sends one request at a time, not too many and not too fast, and leaves alone what does not answer. */
export class PoliteClient {
  readonly #settings: PoliteSettings;
  readonly #silent = new Map<Api, Silence>();
  readonly #hanging = new Set<string>();
  #requests = 0;
  #nextMs = Number.NEGATIVE_INFINITY;

  constructor(settings: PoliteSettings) {
    this.#settings = settings;
  }

  get requests(): number {
    return this.#requests;
  }

  get isStopped(): boolean {
    return this.#settings.isStopped();
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

  /** The exchange, its request with the whole URL. Throws Halt where no request may go out. */
  async ask(api: Api, operationId: string, request: Request): Promise<Exchange> {
    const endpoint = this.#settings.endpoints[api];
    if (endpoint === undefined) throw new Error(`invariant: nobody asks the ${api} that there is not`);
    this.#check(api, operationId);
    await this.#turn();
    this.#requests += 1;
    const headers = [...request.headers, ["User-Agent", this.#settings.userAgent] as const];
    const startedMs = this.#settings.nowMs();
    const answer = await this.#answer(api, operationId, endpoint.handler, { ...request, headers });
    return {
      startedAt: new Date(startedMs).toISOString(),
      durationMs: this.#settings.nowMs() - startedMs,
      request: { ...request, headers, target: `${endpoint.baseUrl}${request.target}` },
      answer,
    };
  }

  #check(api: Api, operationId: string): void {
    if (this.isStopped) throw new Halt("interrupted");
    if (this.isGivenUp(api)) throw new Halt(`the ${api} does not answer any more`);
    if (this.#hanging.has(operationId)) throw new Halt(`${operationId} did not answer in time before`);
    const { requestsMax } = this.#settings;
    if (this.#requests >= requestsMax)
      throw new Halt(`the limit of ${requestsMax} requests was reached; --requests-max sets another`);
  }

  async #turn(): Promise<void> {
    const { nowMs, wait, ratePerSecond } = this.#settings;
    const now = nowMs();
    const at = Math.max(now, this.#nextMs);
    this.#nextMs = Math.min(at, now + 1000 / ratePerSecond) + 1000 / ratePerSecond;
    // A clock that was set back must not make it wait for longer than a turn.
    if (at > now) await wait(Math.min(at - now, 1000 / ratePerSecond));
  }

  /** One that hangs is asked once only, for each such request costs the whole time that it is given. */
  async #answer(api: Api, operationId: string, handler: Handler, request: Request): Promise<Response | Broken> {
    const inARow = (this.#silent.get(api)?.inARow ?? 0) + 1;
    try {
      const answer = await handler(request);
      // One that breaks off in the same way again and again is left alone as well as one that hangs.
      if (answer.type !== "broken") this.#silent.delete(api);
      else this.#silent.set(api, { inARow, why: answer.reason ?? answer.kind, isUnreachable: false });
      if (answer.type === "broken" && answer.kind === "timed-out") this.#hanging.add(operationId);
      return answer;
    } catch (error) {
      const unreachable = this.#settings.whyUnreachable(error);
      if (unreachable === undefined) throw error;
      this.#silent.set(api, { inARow, why: unreachable, isUnreachable: true });
      return { type: "broken", kind: "reset", reason: unreachable };
    }
  }
}
