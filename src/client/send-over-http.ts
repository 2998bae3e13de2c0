import type { Broken } from "../http/broken.ts";
import type { Handler } from "../http/handler.ts";
import type { Request } from "../http/request.ts";
import type { Response } from "../http/response.ts";

const timeoutMs = 30_000;

/** A handler that asks a real target. Rejects when the target cannot be reached at all. */
export function sendOverHttp(baseUrl: string): Handler {
  const base = baseUrl.replace(/\/+$/, "");
  return (request) => send(`${base}${request.target}`, request);
}

async function send(url: string, request: Request): Promise<Response | Broken> {
  const hasBody = request.body.length > 0;
  const headers = request.headers.map(([name, value]): [string, string] => [name, value]);
  try {
    const answer = await fetch(url, {
      method: request.method,
      headers,
      redirect: "manual",
      signal: AbortSignal.timeout(timeoutMs),
      ...(hasBody ? { body: new Uint8Array(request.body) } : {}),
    });
    return {
      type: "response",
      status: answer.status,
      headers: [...answer.headers],
      body: new Uint8Array(await answer.arrayBuffer()),
    };
  } catch (error) {
    if (error instanceof Error && error.name === "TimeoutError") return { type: "broken", kind: "timed-out" };
    throw error;
  }
}
