import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { finished } from "./processes.ts";
import { bytesOf, type LoadRequest } from "./request.ts";
import type { Figures } from "./rows.ts";
import type { Serving } from "./serving.ts";

/** Connections of the load; each sends its next request after the response to the last. */
export const connections = 32;

/**
 * Sends the requests of a file in turn, from the beginning again after the last, and prints the result as JSON.
 * The file holds, for each request, the number of its bytes on a line and then the bytes (`packRequests`).
 */
const script = `
local requests, index = {}, 0

function init(arguments)
  local file = assert(io.open(arguments[1], "rb"))
  while true do
    local length = file:read("*n")
    if not length then break end
    file:read(1)
    requests[#requests + 1] = file:read(length)
  end
  file:close()
end

function request()
  index = index % #requests + 1
  return requests[index]
end

function done(summary)
  local errors = summary.errors
  io.write(string.format('result {"requests":%d,"micros":%d,"failed":%d}\\n', summary.requests, summary.duration,
    errors.status + errors.connect + errors.read + errors.write + errors.timeout))
end
`;

/** Keeps a server busy for some seconds. Throws if a response is unsuccessful. */
export async function keepBusy(
  { url, server, process }: Serving,
  requests: readonly LoadRequest[],
  seconds: number,
  folder: string,
): Promise<Figures & { readonly requests: number; readonly rate: number }> {
  const [lua, file] = [join(folder, "load.lua"), join(folder, "requests")];
  writeFileSync(lua, script);
  writeFileSync(file, packRequests(requests.map(bytesOf)));
  const words = ["-t1", `-c${connections}`, `-d${seconds}s`, "--timeout", "20s", "-s", lua, url, "--", file];
  const before = process.cpuMicros();
  const result = parseResult(await finished({ command: "wrk", words }));
  const cpu = (process.cpuMicros() - before) / result.requests;
  if (result.requests === 0) throw new Error(`${server.name}: no response in ${seconds} s`);
  if (result.failed > 0) throw new Error(`${server.name}: ${result.failed} of ${result.requests} requests failed`);
  return { requests: result.requests, rate: result.perSecond, cpu };
}

export function packRequests(requests: readonly string[]): string {
  return requests.map((request) => `${Buffer.byteLength(request)}\n${request}`).join("");
}

interface LoadResult {
  readonly requests: number;
  readonly perSecond: number;
  /** Unsuccessful responses and broken connections. */
  readonly failed: number;
}

/** Parses the output of the script. */
export function parseResult(output: string): LoadResult {
  const found = /^result (\{.*\})$/m.exec(output)?.[1];
  if (found === undefined) throw new Error(`the load gave no result: ${output.slice(-500)}`);
  const { requests, micros, failed } = JSON.parse(found);
  if (![requests, micros, failed].every(Number.isFinite)) throw new Error(`the load gave no numbers: ${found}`);
  return { requests: Number(requests), perSecond: (requests * 1e6) / micros, failed: Number(failed) };
}
