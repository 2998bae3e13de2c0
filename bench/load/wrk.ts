import type { LoadResult } from "./load.ts";

/**
 * Sends the requests of a file in turn, from the beginning again after the last, and prints the result as JSON.
 * The file holds, for each request, the number of its bytes on a line and then the bytes (`packRequests`).
 */
export const wrkScript = `
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
  io.write(string.format('result {"requests":%d,"micros":%d,"refused":%d,"broken":%d}\\n', summary.requests, summary.duration,
    errors.status, errors.connect + errors.read + errors.write + errors.timeout))
end
`;

export function packRequests(requests: readonly string[]): string {
  return requests.map((request) => `${Buffer.byteLength(request)}\n${request}`).join("");
}

/** Parses the output of this script or of the other driver. */
export function parseResult(output: string): LoadResult {
  const found = /^result (\{.*\})$/m.exec(output)?.[1];
  if (found === undefined) throw new Error(`the load gave no result: ${output.slice(-500)}`);
  const { requests, micros, refused, broken } = JSON.parse(found);
  if (![requests, micros, refused, broken].every(Number.isFinite))
    throw new Error(`the load gave no numbers: ${found}`);
  return { requests, perSecond: (requests * 1e6) / micros, failed: refused + broken };
}
