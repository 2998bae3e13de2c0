// Generates load if wrk is not installed: `node autocannon-driver.ts CONNECTIONS SECONDS URL REQUESTS`. Its output equals that of wrk's script.
// Every connection has its own share of the requests, so that each request is sent once before any is repeated.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { headersOf, type LoadRequest } from "./request.ts";

const [connections = 1, seconds = 1] = process.argv.slice(2, 4).map(Number);
const [url, file = ""] = process.argv.slice(4);
const requested: readonly LoadRequest[] = JSON.parse(readFileSync(`${file}.json`, "utf8"));
const requests = requested.map((each) => ({ ...each, headers: headersOf(each) }));
const state = { clients: 0 };

interface Client {
  setRequests(requests: readonly object[]): void;
}

function setupClient(client: Client): void {
  const number = state.clients++;
  const share = requests.filter((_, index) => index % connections === number % connections);
  client.setRequests(share.length === 0 ? requests : share);
}

// A dependency of this folder only, which need not be installed to check types.
const autocannon: unknown = createRequire(import.meta.url)("autocannon");
if (typeof autocannon !== "function") throw new Error("autocannon is no function");
const result = await autocannon({ url, connections, duration: seconds, timeout: 20, setupClient });
const summary = {
  requests: result.requests.total,
  micros: Math.round(result.duration * 1e6),
  refused: result.non2xx,
  broken: result.errors,
};
console.log(`result ${JSON.stringify(summary)}`);
