import { request } from "node:http";
import { headersOf, type LoadRequest } from "./load/request.ts";
import { freePort, type Launch, pinned, Started } from "./processes.ts";
import type { ServerKind, StartOptions } from "./servers/_server.ts";

/** A server that has sent its first response. */
export interface Serving {
  readonly kind: ServerKind;
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

/** Starts a server on its core and waits for its response to a request; the caller stops it. */
export async function startServing(
  kind: ServerKind,
  options: Omit<StartOptions, "port">,
  first: LoadRequest,
  onCore?: number,
): Promise<Serving> {
  const port = await freePort();
  const launch = kind.prepare({ ...options, port });
  const core = onCore ?? options.tools.cores?.server;
  return startOn(kind, port, pinned(launch, core === undefined ? [] : [core]), first);
}

/** Starts a peer; undefined if it does not start, because the run continues without it. */
export async function tryServing(
  kind: ServerKind,
  options: Omit<StartOptions, "port"> & { tell(text: string): void },
  first: LoadRequest,
): Promise<Serving | undefined> {
  try {
    return await startServing(kind, options, first);
  } catch (error) {
    if (kind.name === "understudy" || kind.name === "bare") throw error;
    options.tell(error instanceof Error ? error.message : String(error));
    return undefined;
  }
}

async function startOn(kind: ServerKind, port: number, launch: Launch, first: LoadRequest): Promise<Serving> {
  const begunMs = performance.now();
  const started = new Started(launch);
  for (;;) {
    const status = await statusOf(port, first);
    const startMs = performance.now() - begunMs;
    if (status === 200) return { kind, url: `http://127.0.0.1:${port}`, port, process: started, startMs };
    const problem = started.ended ?? (startMs > startLimitMs ? `no response of 200 but ${status}` : undefined);
    if (problem !== undefined) {
      await started.stop();
      throw new Error(`${kind.title} does not serve: ${problem}`);
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

/** The status of a response over a new connection; undefined if the connection is refused. */
function statusOf(port: number, loadRequest: LoadRequest): Promise<number | undefined> {
  return new Promise((resolve) => {
    const { method, path, body } = loadRequest;
    const sent = request(
      { host: "127.0.0.1", port, method, path, headers: headersOf(loadRequest), agent: false },
      (response) => {
        response.resume().once("end", () => resolve(response.statusCode));
      },
    );
    sent.once("error", () => resolve(undefined));
    sent.end(body);
  });
}
