import type { Agent, ClientRequest, IncomingMessage } from "node:http";
import { Body } from "../../foundation/http/body.ts";
import type { FailedResponse } from "../../foundation/http/failed-response.ts";
import { GrowingBytes } from "../../foundation/http/growing-bytes.ts";
import type { Handler } from "../../foundation/http/handler.ts";
import { type HeaderList, headerPairs, headerValues } from "../../foundation/http/header.ts";
import type { Request } from "../../foundation/http/request.ts";
import type { Response } from "../../foundation/http/response.ts";
import { HeldBytes } from "../../foundation/limits/held-bytes.ts";
import { type ConnectFailure, connectFailure, isNotHttp, speaksTls, tlsExpected } from "./connect-failure.ts";
import { type Network, type NetworkRoute, ProxyFailure, routeTo } from "./route.ts";

const timeoutMsDefault = 30_000;

/** Maximum size of a response body in bytes. */
const responseBytesMaxDefault: number = 8 * 1024 * 1024;
const headBytesMax = 64 * 1024;

/** The target is unreachable: nothing listens, the host name is unknown, or it does not speak HTTP. */
export class Unreachable extends Error {
  readonly baseUrl: string;
  readonly reason: string;
  /** What to do; undefined if it is to check the URL, and that the target is running. */
  readonly remedy: string | undefined;

  constructor(baseUrl: string, { reason, remedy }: ConnectFailure, cause: unknown) {
    super(`${baseUrl} cannot be reached`, { cause });
    this.name = "Unreachable";
    this.baseUrl = baseUrl;
    this.reason = reason;
    this.remedy = remedy;
  }
}

/** A handler that keeps connections until it is closed. */
interface Client extends Handler {
  close(): void;
}

export interface ClientLimits extends Network {
  /** Time limit of an exchange. */
  readonly timeoutMs?: number;
  readonly responseBytesMax?: number;
}

interface Target {
  readonly base: URL;
  readonly route: NetworkRoute;
  /** Keeps connections for GET and HEAD. Other requests must not be sent twice, so each uses a new connection. */
  readonly agent: Agent;
  readonly timeoutMs: number;
  readonly responseBytesMax: number;
  /** Whether the target has sent an HTTP response. */
  hasResponded: boolean;
}

/**
 * Creates a handler that sends requests to a target over HTTP. It sends exactly the given headers, and adds Host and
 * Content-Length if missing. It resolves within the timeout; a FailedResponse describes a broken response. Rejects with
 * Unreachable if the target cannot be reached. Redirects are not followed.
 */
export function sendOverHttp(baseUrl: string, limits: number | ClientLimits = {}): Client {
  const network: ClientLimits = typeof limits === "number" ? { timeoutMs: limits } : limits;
  const { timeoutMs = timeoutMsDefault, responseBytesMax = responseBytesMaxDefault } = network;
  const base = new URL(baseUrl);
  let route: NetworkRoute;
  try {
    route = routeTo(base, network);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const unreachable = new Unreachable(base.href, { reason, remedy: proxyRemedy }, error);
    return Object.assign(() => Promise.reject(unreachable), { close: () => undefined });
  }
  const agent = route.createAgent({ keepAlive: true });
  const target: Target = { base, route, agent, timeoutMs, responseBytesMax, hasResponded: false };
  return Object.assign((request: Request) => send(target, request), { close: () => agent.destroy() });
}

async function send(target: Target, request: Request): Promise<Response | FailedResponse> {
  const isRepeatable = request.method === "GET" || request.method === "HEAD";
  const first = await sendOnce(target, request, isRepeatable ? target.agent : target.route.createAgent({}));
  // The target may close a kept connection while it is reused; the request is then repeated.
  const last = first === "stale" ? await sendOnce(target, request, target.route.createAgent({})) : first;
  if (last === "stale") return { type: "broken", kind: "reset", reason: closedEarly };
  if (last.type === "response" || last.partial !== undefined) target.hasResponded = true;
  return last;
}

const closedEarly = "the connection was closed before a response arrived";

function sendOnce(target: Target, request: Request, agent: Agent): Promise<Response | FailedResponse | "stale"> {
  return new Promise((resolve, reject) => {
    const sent = begin(target, request, agent);
    if (!("on" in sent)) {
      resolve(sent);
      return;
    }
    const outgoing = new Outgoing(target, sent, resolve, reject);
    sent.end(request.body.bytes());
    outgoing.watch();
  });
}

/** Starts a request. Node rejects invalid characters in path or headers; the result is then a FailedResponse. */
function begin({ base, route }: Target, request: Request, agent: Agent): ClientRequest | FailedResponse {
  const { method, target } = request;
  try {
    return route.open(pathOf(base, target), headersOf(base, request), { method, agent, maxHeaderSize: headBytesMax });
  } catch (error) {
    const reason = `the request could not be sent: ${error instanceof Error ? error.message : String(error)}`;
    return { type: "broken", kind: "reset", reason };
  }
}

/** Percent-encodes characters that a request line cannot hold. */
function pathOf(base: URL, target: string): string {
  const path = `${base.pathname.replace(/\/+$/, "")}${target}` || "/";
  return path.replaceAll(/[^\x21-\x7e]+/gu, (text) => encodeURIComponent(text.toWellFormed()));
}

function headersOf({ host }: URL, { method, headers, body }: Request): HeaderList {
  const has = (name: string) => headerValues(headers, name).length > 0;
  const hasLength = body.storedLength > 0 || ["POST", "PUT", "PATCH"].includes(method);
  return [
    ...(has("host") ? [] : [["Host", host] as const]),
    ...headers,
    ...(has("content-length") || !hasLength ? [] : [["Content-Length", String(body.size)] as const]),
  ];
}

/** A request in flight. The first event settles it. */
class Outgoing {
  readonly #target: Target;
  readonly #request: ClientRequest;
  readonly #resolve: (response: Response | FailedResponse | "stale") => void;
  readonly #reject: (error: Error) => void;
  readonly #body: GrowingBytes;
  #bytes = 0;
  #isConnected = false;
  #incoming: IncomingMessage | undefined;
  #deadline: NodeJS.Timeout | undefined;

  constructor(
    target: Target,
    request: ClientRequest,
    resolve: (response: Response | FailedResponse | "stale") => void,
    reject: (error: Error) => void,
  ) {
    this.#target = target;
    this.#body = new GrowingBytes(new HeldBytes(target.responseBytesMax), target.responseBytesMax);
    this.#request = request;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  watch(): void {
    const request = this.#request;
    this.#deadline = setTimeout(() => this.#timeOut(), this.#target.timeoutMs);
    request.on("socket", (socket) => {
      this.#isConnected = !socket.connecting;
      // A kept connection is already connected; a listener per request would accumulate.
      if (!this.#isConnected)
        socket.once("connect", () => {
          this.#isConnected = true;
        });
    });
    request.on("response", (incoming) => this.#receive(incoming));
    request.on("upgrade", (incoming) => this.#settle(this.#response(incoming)));
    request.on("error", (error) => this.#fail(error));
  }

  #receive(incoming: IncomingMessage): void {
    const { proxy } = this.#target.route;
    // Only a proxy responds so (RFC 9110 §15.5.8).
    if (proxy !== undefined && incoming.statusCode === 407) {
      const failure = { reason: `the proxy ${proxy} refuses the request (407)`, remedy: proxyRemedy };
      this.#settle(new Unreachable(this.#target.base.href, failure, undefined));
      return;
    }
    this.#incoming = incoming;
    incoming.on("data", (chunk: Uint8Array) => {
      this.#bytes += chunk.length;
      if (!this.#body.add(chunk))
        this.#settle(broken("too-large", `the body is larger than ${this.#target.responseBytesMax} bytes`));
    });
    incoming.on("end", () => this.#settle(this.#response(incoming)));
    incoming.on("error", (error) => this.#fail(error));
  }

  #response(incoming: IncomingMessage): Response {
    return {
      type: "response",
      status: incoming.statusCode ?? 0,
      headers: headerPairs(incoming.rawHeaders),
      body: new Body(this.#body.bytes.slice()),
    };
  }

  #timeOut(): void {
    const within = `within ${this.#target.timeoutMs / 1000} s`;
    if (!this.#isConnected)
      this.#settle(this.#unreachable({ ...connectFailure(timedOut), reason: `no connection ${within}` }, timedOut));
    else if (this.#incoming === undefined) this.#settle(broken("timed-out", `nothing received ${within}`));
    else {
      const partial = `${this.#bytes} bytes of its body arrived`;
      this.#settle(broken("timed-out", `the response did not end ${within}; ${partial}`));
    }
  }

  #fail(error: Error): void {
    const code = "code" in error ? String(error.code) : "";
    if (this.#incoming !== undefined) this.#settle(this.#truncated(this.#incoming, code));
    else if (this.#request.reusedSocket && code === "ECONNRESET") this.#settle("stale");
    else void this.#failBeforeHead(code, error);
  }

  async #failBeforeHead(code: string, error: Error): Promise<void> {
    const { base, hasResponded } = this.#target;
    const failure =
      error instanceof ProxyFailure ? { reason: error.message, remedy: proxyRemedy } : connectFailure(error);
    if (failure !== undefined) this.#settle(this.#unreachable(failure, error));
    else if (mayExpectTls(this.#target, code) && (await speaksTls(base)))
      this.#settle(this.#unreachable(tlsExpected, error));
    else if (!isNotHttp(code)) this.#settle(broken(...brokenBefore(code)));
    else if (hasResponded) this.#settle(broken("reset", `the response is not HTTP: ${error.message}`));
    else this.#settle(this.#unreachable({ reason: "it does not speak HTTP" }, error));
  }

  #unreachable(failure: ConnectFailure, cause: Error): Unreachable {
    const { base, route } = this.#target;
    const isProxy = route.proxy !== undefined && base.protocol === "http:" && !(cause instanceof ProxyFailure);
    const reason = isProxy ? `the proxy ${route.proxy} does not respond: ${failure.reason}` : failure.reason;
    return new Unreachable(base.href, isProxy ? { reason, remedy: proxyRemedy } : failure, cause);
  }

  #truncated(incoming: IncomingMessage, code: string): FailedResponse {
    const promised = Number(incoming.headers["content-length"]);
    const { status, headers, body } = this.#response(incoming);
    const bodyLength = Number.isSafeInteger(promised) ? promised : body.size;
    const of = Number.isSafeInteger(promised) ? ` of ${promised}` : "";
    const reason = isNotHttp(code)
      ? `the response is not HTTP after ${body.size} bytes of the body`
      : `the connection was closed after ${body.size}${of} bytes of the body`;
    return { type: "broken", kind: "truncated", reason, partial: { status, headers, body, bodyLength } };
  }

  #settle(response: Response | FailedResponse | "stale" | Unreachable): void {
    clearTimeout(this.#deadline);
    this.#body.release();
    if (response === "stale" || response instanceof Unreachable || response.type === "broken") this.#request.destroy();
    if (response instanceof Unreachable) this.#reject(response);
    else this.#resolve(response);
  }
}

/** Whether plain HTTP failed as it does at a port that expects TLS. */
function mayExpectTls({ base, route, hasResponded }: Target, code: string): boolean {
  const isPlain = base.protocol === "http:" && route.proxy === undefined;
  return isPlain && !hasResponded && code !== "HPE_HEADER_OVERFLOW";
}

const timedOut = Object.assign(new Error("no connection"), { code: "ETIMEDOUT" });

const proxyRemedy = "Check HTTP_PROXY and HTTPS_PROXY, or name the host in NO_PROXY.";

function brokenBefore(code: string): readonly [FailedResponse["kind"], string] {
  if (code === "HPE_HEADER_OVERFLOW") return ["too-large", `the head is larger than ${headBytesMax} bytes`];
  return ["reset", code === "ECONNRESET" || code === "" ? closedEarly : `the connection failed with ${code}`];
}

function broken(kind: FailedResponse["kind"], reason: string): FailedResponse {
  return { type: "broken", kind, reason };
}
