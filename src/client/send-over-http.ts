import type { Broken } from "../http/broken.ts";
import type { Handler } from "../http/handler.ts";
import type { Request } from "../http/request.ts";
import type { Response } from "../http/response.ts";

const timeoutMsDefault = 30_000;

/** The target never took the request: nothing listens there, its name is unknown, or it does not speak HTTP. */
export class Unreachable extends Error {
  readonly reason: string;

  constructor(baseUrl: string, reason: string, cause: unknown) {
    super(`${baseUrl} cannot be reached`, { cause });
    this.name = "Unreachable";
    this.reason = reason;
  }
}

const connectFailures: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ETIMEDOUT",
  "UND_ERR_CONNECT_TIMEOUT",
  "CERT_HAS_EXPIRED",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
]);

/** A handler that asks a real target. An answer that breaks off is Broken; rejects with Unreachable where none can come. */
export function sendOverHttp(baseUrl: string, timeoutMs: number = timeoutMsDefault): Handler {
  const base = baseUrl.replace(/\/+$/, "");
  return (request) => send(base, timeoutMs, request);
}

async function send(base: string, timeoutMs: number, request: Request): Promise<Response | Broken> {
  const hasBody = request.body.length > 0;
  const headers = request.headers.map(([name, value]): [string, string] => [name, value]);
  let hasBegun = false;
  try {
    const answer = await fetch(`${base}${request.target}`, {
      method: request.method,
      headers,
      redirect: "manual",
      signal: AbortSignal.timeout(timeoutMs),
      ...(hasBody ? { body: new Uint8Array(request.body) } : {}),
    });
    hasBegun = true;
    const body = new Uint8Array(await answer.arrayBuffer());
    return { type: "response", status: answer.status, headers: [...answer.headers], body };
  } catch (error) {
    if (error instanceof Error && error.name === "TimeoutError") return { type: "broken", kind: "timed-out" };
    const reason = reasonOf(error);
    if (!hasBegun && reason !== undefined) throw new Unreachable(base, reason, error);
    if (error instanceof TypeError) return { type: "broken", kind: hasBegun ? "truncated" : "reset" };
    throw error;
  }
}

/** Why nothing can come from there; undefined where an answer broke off. Of several addresses undici gives the failures together. */
function reasonOf(error: unknown): string | undefined {
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  const first: unknown = cause instanceof AggregateError ? cause.errors[0] : cause;
  if (!(first instanceof Error)) return undefined;
  const code = "code" in first ? String(first.code) : "";
  if (first.message === "bad port") return "fetch does not go to this port";
  if (code.startsWith("ERR_SSL") || code === "EPROTO") return "it does not speak TLS";
  if (code.startsWith("HPE_")) return "it does not speak HTTP";
  return connectFailures.has(code) ? code : undefined;
}
