// Measures writes and reads of a stub over each kind of store, all in turns: `node bench/stores/stores.ts [rounds]`. It prints a
// table with the medians of the rounds. The processor time is that of the stub, without the server of PostgreSQL.
import { mkdtempSync, rmSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { endFile } from "../../test/_after-file.ts";
import { PostgresForTests } from "../../test/stores/_postgres.ts";
import { freePort, node, Started } from "../processes.ts";
import { shown } from "../report.ts";
import { ask, fetchAt, firstPage, headersOf, type LoadRequest } from "../request.ts";
import { median, percentile } from "../rows.ts";

interface Store {
  readonly name: string;
  readonly url: string;
}

/** A stub over a store. */
interface StoredStub {
  readonly store: Store;
  readonly url: string;
  readonly process: Started;
}

interface Load {
  readonly title: string;
  readonly connections: number;
  next(): LoadRequest;
}

/** Figures of a round. Latencies are in milliseconds, the processor time of a request in microseconds. */
interface Figures {
  readonly rate: number;
  readonly p50: number;
  readonly p99: number;
  readonly cpu: number;
}

const roundMs = 1000;
const rounds = Number(process.argv[2] ?? 5);
const main = fileURLToPath(new URL("../../src/entrypoints/cli/main.ts", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "understudy-bench-"));
let writes = 0;

const loads: readonly Load[] = [
  ...[1, 8, 32].map((connections) => ({ title: "`PATCH /v2/users/{id}`", connections, next: update })),
  { title: "`GET /v2/users`", connections: 32, next: () => firstPage },
];
const stubs = await started([
  { name: "memory:", url: "memory:" },
  { name: "SQLite", url: `sqlite:${join(folder, "store.db")}` },
  { name: "PostgreSQL", url: await new PostgresForTests([]).newUrl() },
]);
try {
  console.log(
    "| Request | Connections | Store | Requests/s | p50, ms | p99, ms | Processor time, µs |\n| --- | ---: | --- | ---: | ---: | ---: | ---: |",
  );
  for (const load of loads) for (const line of await tableOf(load)) console.log(line);
} finally {
  for (const { process } of stubs) await process.stop();
  await endFile();
  rmSync(folder, { recursive: true });
}

/** A new value of an annotation, each time another one. */
function update(): LoadRequest {
  writes += 1;
  const user = { id: "alice", metadata: { annotations: { value: String(writes) } } };
  const body = { user, updateMask: { paths: ["metadata.annotations"] } };
  return { method: "PATCH", path: "/v2/users/alice", body: JSON.stringify(body) };
}

async function started(stores: readonly Store[]): Promise<readonly StoredStub[]> {
  const all: StoredStub[] = [];
  for (const store of stores) {
    const port = await freePort();
    const serve = node(main, "serve", "--port", String(port), "--store", store.url);
    const stub = { store, url: `http://127.0.0.1:${port}`, process: new Started(serve) };
    await responding(stub);
    all.push(stub);
  }
  return all;
}

/** Sends the first requests, which compile schemas. */
async function responding({ url, process }: StoredStub): Promise<void> {
  for (;;) {
    const received = await ask(fetchAt(url), update()).catch(() => undefined);
    if (received?.status === 200) return;
    if (process.ended !== undefined) throw new Error(`the stub ended: ${process.ended}`);
  }
}

/** A line for each store: medians of the rounds, in which the stores take turns. The first round warms up. */
async function tableOf(load: Load): Promise<readonly string[]> {
  const measured = new Map<StoredStub, Figures[]>(stubs.map((stub) => [stub, []]));
  for (let round = 0; round <= rounds; round += 1)
    for (const [stub, figures] of measured) {
      const found = await measure(stub, load);
      if (round > 0) figures.push(found);
    }
  return [...measured].map(([{ store }, figures]) => {
    const medianOf = (figure: keyof Figures) => shown(median(figures.map((each) => each[figure])));
    const cells = [medianOf("rate"), medianOf("p50"), medianOf("p99"), medianOf("cpu")];
    return `| ${load.title} | ${load.connections} | ${store.name} | ${cells.join(" | ")} |`;
  });
}

async function measure({ url, process }: StoredStub, { connections, next }: Load): Promise<Figures> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const latencies: number[] = [];
  const [startedMs, cpuBefore] = [performance.now(), process.cpuMicros()];
  const connection = async () => {
    while (performance.now() - startedMs < roundMs) latencies.push(await latencyOf(url, agent, next()));
  };
  await Promise.all(Array.from({ length: connections }, connection));
  const [tookMs, cpu] = [performance.now() - startedMs, process.cpuMicros() - cpuBefore];
  agent.destroy();
  return {
    rate: (latencies.length / tookMs) * 1000,
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
    cpu: cpu / latencies.length,
  };
}

/** Milliseconds until a successful response has arrived. */
function latencyOf(url: string, agent: Agent, sent: LoadRequest): Promise<number> {
  return new Promise((resolve, reject) => {
    const startedMs = performance.now();
    const outgoing = request(url + sent.path, { method: sent.method, agent, headers: headersOf(sent) }, (incoming) => {
      if (incoming.statusCode !== 200) reject(new Error(`${sent.path} returned ${incoming.statusCode}`));
      incoming.resume().once("end", () => resolve(performance.now() - startedMs));
    });
    outgoing.once("error", reject);
    outgoing.end(sent.body);
  });
}
