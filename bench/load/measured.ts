import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Plan } from "../plan.ts";
import type { Serving } from "../serving.ts";
import { type LoadResult, load } from "./load.ts";
import { bytesOf, type LoadRequest } from "./request.ts";
import { packRequests } from "./wrk.ts";

/** Writes requests for every driver. */
export function writeRequests({ workspace }: Plan, requests: readonly LoadRequest[]): string {
  const file = join(workspace.folder, "requests");
  writeFileSync(file, packRequests(requests.map(bytesOf)));
  writeFileSync(`${file}.json`, JSON.stringify(requests));
  return file;
}

export interface Measured extends LoadResult {
  /** Processor time per request in microseconds; undefined if the system does not report it. */
  readonly cpuMicros: number | undefined;
}

export async function measure(
  { workspace, tools }: Plan,
  serving: Serving,
  requestsFile: string,
  seconds: number,
): Promise<Measured> {
  const before = tools.proc ? serving.process.cpuMs() : Number.NaN;
  const result = await load(serving.url, requestsFile, seconds, { folder: workspace.folder, tools });
  const spentMs = (tools.proc ? serving.process.cpuMs() : Number.NaN) - before;
  return { ...result, cpuMicros: Number.isNaN(spentMs) ? undefined : (spentMs * 1000) / result.requests };
}
