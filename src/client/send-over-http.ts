import type { Broken } from "../http/broken.ts";
import type { Handler } from "../http/handler.ts";
import type { Request } from "../http/request.ts";
import type { Response } from "../http/response.ts";

const timeoutMs = 30_000;

/** The target never took the request: nothing listens there, or its name is unknown. */
export class Unreachable extends Error {
  constructor(baseUrl: string, cause: unknown) {
    super(`${baseUrl} cannot be reached`, { cause });
    this.name = "Unreachable";
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
export function sendOverHttp(baseUrl: string): Handler {
  const base = baseUrl.replace(/\/+$/, "");
  return (request) => send(base, request);
}

async function send(base: string, request: Request): Promise<Response | Broken> {
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
    if (connectFailures.has(codeOf(error))) throw new Unreachable(base, error);
    if (error instanceof TypeError) return { type: "broken", kind: hasBegun ? "truncated" : "reset" };
    throw error;
  }
}

/** Of several addresses that were tried, undici gives the failures together. */
function codeOf(error: unknown): string {
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  const first: unknown = cause instanceof AggregateError ? cause.errors[0] : cause;
  return typeof first === "object" && first !== null && "code" in first ? String(first.code) : "";
}
