import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Tools } from "../machine.ts";
import { finished, pinned } from "../processes.ts";
import { parseResult } from "./wrk.ts";

export interface LoadResult {
  readonly requests: number;
  readonly perSecond: number;
  /** Unsuccessful responses and broken connections. */
  readonly failed: number;
}

/** Number of connections; each sends its next request after the response to the last. */
export const connections = 32;

const autocannonDriver: string = fileURLToPath(new URL("autocannon-driver.ts", import.meta.url));

/** Sends each packed request as soon as a response arrives, from a process on the load core. */
export async function load(
  url: string,
  requestsFile: string,
  seconds: number,
  { folder, tools }: { readonly folder: string; readonly tools: Tools },
): Promise<LoadResult> {
  const words = tools.wrk
    ? ["-t1", `-c${connections}`, `-d${seconds}s`, "--timeout", "20s", "-s", join(folder, "load.lua"), url, "--"]
    : [autocannonDriver, String(connections), String(seconds), url];
  const command = tools.wrk ? "wrk" : process.execPath;
  const launch = { command, words: [...words, requestsFile] };
  return parseResult(await finished(pinned(launch, tools.cores === undefined ? [] : [tools.cores.load])));
}
