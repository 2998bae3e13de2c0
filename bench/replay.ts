// Measures the replay of a large recording: time to index, memory, and response time.
// Run with `npm run bench:replay`, or `npm run bench:replay -- --megabytes 1000`.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, statSync, writeSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const main = fileURLToPath(new URL("../src/entrypoints/cli/main.ts", import.meta.url));
const { values } = parseArgs({
  options: { megabytes: { type: "string", default: "200" }, requests: { type: "string", default: "5000" } },
});
const [bytesWanted, requests] = [Number(values.megabytes) * 1e6, Number(values.requests)];

const rights = (nth: number) => [
  { kind: { CanActAs: { value: { party: `party-${nth}::1220${String(nth).padStart(64, "0")}` } } } },
];

/** Creates a user, grants rights and reads it. The blob makes an entry about as long as a lookup's. */
function entriesOf(nth: number): readonly string[] {
  const id = `user-${nth}`;
  const [user, filler] = [{ id, metadata: { resourceVersion: "0", annotations: {} } }, "x".repeat(2000)];
  return [
    entry("POST", "/v2/users", { user, rights: rights(nth) }, { user, filler }),
    entry("POST", `/v2/users/${id}/rights`, { userId: id, rights: rights(nth) }, { newlyGrantedRights: [], filler }),
    entry("GET", `/v2/users/${id}`, undefined, { user, filler }),
    entry("GET", "/v2/state/ledger-end", undefined, { offset: nth }),
  ];
}

function entry(method: string, path: string, request: unknown, response: unknown): string {
  return JSON.stringify({
    startedDateTime: "2026-01-01T00:00:00.000Z",
    time: 1,
    request: {
      method,
      url: `http://node${path}`,
      headers: [{ name: "Authorization", value: "Bearer token-1" }],
      ...(request === undefined ? {} : { postData: { mimeType: "application/json", text: JSON.stringify(request) } }),
    },
    response: {
      status: 200,
      headers: [{ name: "Content-Type", value: "application/json" }],
      content: { mimeType: "application/json", text: JSON.stringify(response) },
    },
  });
}

function record(file: string): number {
  const handle = openSync(file, "w");
  let [bytes, users] = [0, 0];
  writeSync(handle, '{"log":{"version":"1.2","creator":{"name":"canton-understudy","version":"bench"},"entries":[\n');
  while (bytes < bytesWanted) {
    const batch = Array.from({ length: 100 }, (_, nth) => entriesOf(users + nth).join(",\n")).join(",\n");
    bytes += writeSync(handle, users === 0 ? batch : `,\n${batch}`);
    users += 100;
  }
  writeSync(handle, "\n]}}\n");
  closeSync(handle);
  return users;
}

/** Peak memory of a process in megabytes (Linux only). */
function peakOf(pid: number | undefined): string {
  return (Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1000).toFixed(0);
}

const agent = new Agent({ keepAlive: true });

function ask(url: string, method: string, path: string, body?: unknown): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { Authorization: "Bearer mine", "Content-Type": "application/json" };
    const outgoing = request(`${url}${path}`, { method, agent, headers }, (incoming) => {
      incoming.resume();
      incoming.on("end", () => resolve(incoming.statusCode ?? 0));
    });
    outgoing.on("error", reject);
    outgoing.end(body === undefined ? "" : JSON.stringify(body));
  });
}

/** Requests from the end of the recording, with other ids: their entries follow entries that are not requested. */
async function play(url: string, users: number): Promise<readonly number[]> {
  const times: number[] = [];
  for (let nth = users - 1; times.length < requests && nth >= 0; nth -= 1) {
    const id = `live-${nth}`;
    const party = `live-${nth}::1220${String(nth + 1e9).padStart(64, "f")}`;
    const own = [{ kind: { CanActAs: { value: { party } } } }];
    const user = { id, metadata: { resourceVersion: "0", annotations: {} } };
    for (const [method, path, body] of [
      ["POST", "/v2/users", { user, rights: own }],
      ["POST", `/v2/users/${id}/rights`, { userId: id, rights: own }],
      ["GET", `/v2/users/${id}`, undefined],
      ["GET", "/v2/state/ledger-end", undefined],
    ] as const) {
      const begun = performance.now();
      const status = await ask(url, method, path, body);
      if (status !== 200) throw new Error(`${method} ${path}: ${status}`);
      times.push(performance.now() - begun);
    }
  }
  return times;
}

function quantile(times: readonly number[], share: number): string {
  const sorted = times.toSorted((left, right) => left - right);
  return (sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(2);
}

const folder = mkdtempSync(join(tmpdir(), "understudy-bench-"));
try {
  const file = join(folder, "recording.har");
  const users = record(file);
  const megabytes = (statSync(file).size / 1e6).toFixed(0);
  const begun = performance.now();
  const child = spawn(process.execPath, [main, "replay", file, "--port", "0", "--json"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const lines = createInterface({ input: child.stdout });
  const [ready] = await once(lines, "line");
  lines.on("line", () => undefined);
  const { url, exchanges } = JSON.parse(String(ready));
  const indexed = ((performance.now() - begun) / 1000).toFixed(1);
  console.log(`${megabytes} MB, ${exchanges} exchanges: indexed in ${indexed} s`);
  console.log(`peak while indexing ${peakOf(child.pid)} MB`);
  const times = await play(url, users);
  console.log(`${times.length} requests: median ${quantile(times, 0.5)} ms, 99 % ${quantile(times, 0.99)} ms`);
  console.log(`peak ${peakOf(child.pid)} MB`);
  child.kill("SIGINT");
  await once(child, "close");
  agent.destroy();
} finally {
  rmSync(folder, { recursive: true });
}
