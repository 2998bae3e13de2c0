import { createHash } from "node:crypto";
import { vi } from "vitest";
import type { Request } from "../../src/foundation/http/request.ts";
import { type Response, textResponse } from "../../src/foundation/http/response.ts";
import { addressed } from "../../src/stub/hosting/world-id.ts";
import { sendOverHttp, Unreachable } from "../../src/transport/client/send-over-http.ts";
import { startServer } from "../../src/transport/server/http-server.ts";
import { onLoopback } from "../_server.ts";

type Handler = Parameters<typeof startServer>[0]["handler"];
type HandlerResponse = Awaited<ReturnType<Handler>>;

export interface Routing {
  readonly url: string;
  /** Resolves when no request is at the replica with this URL. */
  drained(url: string): Promise<void>;
  close(): Promise<void>;
}

/**
 * A proxy in front of replicas, at changing URLs. The world of a request chooses the replica. A request that it refuses with 503, or
 * does not accept, was not executed and goes to the next one.
 */
export async function startRouting(replicas: () => readonly (string | undefined)[]): Promise<Routing> {
  const inFlight: string[] = [];
  const handler: Handler = async (request) => {
    let last: HandlerResponse = notServed;
    for (const url of ordered(addressed(request).id, replicas())) {
      inFlight.push(url);
      const received = await sent(url, request);
      inFlight.splice(inFlight.indexOf(url), 1);
      if (received.type !== "response" || received.status !== 503) return received;
      last = received;
    }
    return last;
  };
  const { url, close } = await startServer({ ...onLoopback, handler });
  const drained = (replica: string) =>
    vi.waitFor(() => {
      if (inFlight.includes(replica)) throw new Error(`${replica} has requests`);
    }, patience);
  return { url, close, drained };
}

const patience = { timeout: 120_000, interval: 10 };

const notServed: Response = textResponse(503, "text/plain; charset=UTF-8", "no replica accepts requests");

/** The URLs of the replicas that run, beginning with the one of the world. */
function ordered(world: string, replicas: readonly (string | undefined)[]): readonly string[] {
  const first = createHash("sha1").update(world).digest().readUInt32BE() % replicas.length;
  return [...replicas.slice(first), ...replicas.slice(0, first)].filter((url) => url !== undefined);
}

async function sent(url: string, request: Request): Promise<HandlerResponse> {
  try {
    return await sendOverHttp(url)(request);
  } catch (error) {
    if (error instanceof Unreachable) return notServed;
    throw error;
  }
}
