import { request } from "node:http";
import { setTimeout } from "node:timers/promises";
import { freePort, Started } from "./processes.ts";
import { firstPage, headersOf, type LoadRequest } from "./request.ts";
import type { Server, StartOptions } from "./servers/_server.ts";

/** A server that has sent its first response. */
export interface Serving {
  readonly server: Server;
  readonly url: string;
  readonly port: number;
  readonly process: Started;
  /** Milliseconds from its start to its first response with status 200. */
  readonly startMs: number;
}

/** Time limit for the first response. */
const startLimitMs = 90_000;
/** Pause between two attempts. */
const pauseMs = 2;

/** Starts a server and waits for its response to a request; the caller stops it. */
export async function startServing(
  server: Server,
  options: Omit<StartOptions, "port">,
  first: LoadRequest = firstPage,
): Promise<Serving> {
  const port = await freePort();
  const launch = server.prepare({ ...options, port });
  const begunMs = performance.now();
  const process = new Started(launch, server.core);
  for (;;) {
    const status = await statusOf(port, first);
    const startMs = performance.now() - begunMs;
    if (status === 200) return { server, url: `http://127.0.0.1:${port}`, port, process, startMs };
    const problem = process.ended ?? (startMs > startLimitMs ? `no response of 200 but ${status}` : undefined);
    if (problem !== undefined) {
      await process.stop();
      throw new Error(`${server.name} does not serve: ${problem}`);
    }
    await setTimeout(pauseMs);
  }
}

export async function stopAll(servings: readonly Serving[]): Promise<void> {
  for (const { process } of servings) await process.stop();
}

/** The status of a response over a new connection; undefined if the connection is refused. */
function statusOf(port: number, loadRequest: LoadRequest): Promise<number | undefined> {
  return new Promise((resolve) => {
    const { method, path, body } = loadRequest;
    const options = { host: "127.0.0.1", port, method, path, headers: headersOf(loadRequest), agent: false };
    const sent = request(options, (response) => {
      response.resume().once("end", () => resolve(response.statusCode));
    });
    sent.once("error", () => resolve(undefined));
    sent.end(body);
  });
}
