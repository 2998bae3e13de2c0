// Measures the latency that the recording proxy adds, and whether its memory grows with a body. Run with `npm run bench:proxy`, or
// `npm run bench:proxy -- --rounds 20000`. Target and recorder are separate processes. Calls alternate, so that
// other load on the machine affects both. Linux only, because it reads the memory of another process.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { Agent, createServer, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const main = fileURLToPath(new URL("../src/entrypoints/cli/main.ts", import.meta.url));
const { values } = parseArgs({
  options: { rounds: { type: "string", default: "5000" }, target: { type: "boolean", default: false } },
});
const largeBytes = 1_000_000_000;
const chunk = Buffer.alloc(64 * 1024, 120);

/** Responds with as many bytes as the query says, and reads every request body. */
function serveTarget(): void {
  const server = createServer((incoming, outgoing) => {
    incoming.resume();
    incoming.on("end", () => {
      const size = Number(new URL(incoming.url ?? "/", "http://a").searchParams.get("size"));
      outgoing.setHeader("Content-Type", "application/json");
      if (size <= 1_000_000) outgoing.end(JSON.stringify({ text: "x".repeat(size) }));
      else sendMany(outgoing, size);
    });
  });
  server.listen(0, "127.0.0.1", () => console.log(`at http://127.0.0.1:${Object(server.address()).port} Ctrl-C`));
}

function sendMany(to: NodeJS.WritableStream, size: number): void {
  let left = size;
  const send = () => {
    while (left > 0) {
      const isTaken = to.write(left < chunk.length ? chunk.subarray(0, left) : chunk);
      left -= Math.min(left, chunk.length);
      if (!isTaken && left > 0) return;
    }
    to.end();
  };
  to.on("drain", send);
  send();
}

async function started(words: readonly string[]): Promise<{ readonly child: ChildProcess; readonly url: string }> {
  const child = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "inherit"] });
  let out = "";
  for await (const text of child.stdout) {
    out += String(text);
    const url = /http:\/\/[\d.]+:\d+/.exec(out)?.[0];
    if (url !== undefined && out.includes("Ctrl-C")) return { child, url };
  }
  throw new Error(`it ended: ${out}`);
}

const agent = new Agent({ keepAlive: true });

/** Milliseconds from the request to the last byte of its response. */
async function call(url: string, bodyBytes = 0): Promise<number> {
  const begin = performance.now();
  const outgoing = request(url, { agent, method: bodyBytes > 0 ? "POST" : "GET" });
  if (bodyBytes > 0) {
    outgoing.setHeader("Content-Length", bodyBytes);
    sendMany(outgoing, bodyBytes);
  } else outgoing.end();
  const [response] = await once(outgoing, "response");
  response.resume();
  await once(response, "end");
  return performance.now() - begin;
}

const quantile = (numbers: readonly number[], part: number) =>
  numbers.toSorted((left, right) => left - right)[Math.floor(numbers.length * part)] ?? 0;

async function compare(target: string, proxy: string, size: number): Promise<void> {
  const [direct, through]: [number[], number[]] = [[], []];
  const path = `/v2/users?size=${size}`;
  for (let round = -200; round < Number(values.rounds); round += 1) {
    const [left, right] = [await call(`${target}${path}`), await call(`${proxy}${path}`)];
    if (round < 0) continue;
    direct.push(left);
    through.push(right);
  }
  const [before, after] = [quantile(direct, 0.5), quantile(through, 0.5)];
  const late = [quantile(direct, 0.99), quantile(through, 0.99)].map((ms) => ms.toFixed(2));
  console.log(
    `${size} bytes: direct ${before.toFixed(3)} ms, through the proxy ${after.toFixed(3)} ms at the median, ${(after - before).toFixed(3)} ms more; 99 of 100 within ${late.join(" and ")} ms`,
  );
}

/** Peak memory of a process in MB. */
function peakOf({ pid }: ChildProcess): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1000;
}

async function passLarge(recorder: ChildProcess, proxy: string): Promise<void> {
  const before = peakOf(recorder);
  const down = await call(`${proxy}/v2/users?size=${largeBytes}`);
  const between = peakOf(recorder);
  const up = await call(`${proxy}/v2/users?size=0`, largeBytes);
  const peaks = [before, between, peakOf(recorder)].map((megabytes) => megabytes.toFixed(0));
  console.log(
    `1 GB as a response in ${(down / 1000).toFixed(1)} s, as a request in ${(up / 1000).toFixed(1)} s; the recorder's peak was ${peaks[0]} MB before, ${peaks[1]} and ${peaks[2]} MB after`,
  );
}

async function bench(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "understudy-bench-"));
  const target = await started([fileURLToPath(import.meta.url), "--target"]);
  const words = [main, "record", "--port", "0", "--ledger", target.url, "--out", join(folder, "x.har")];
  const recorder = await started(words);
  try {
    for (const size of [100, 10_000, 100_000]) await compare(target.url, recorder.url, size);
    await passLarge(recorder.child, recorder.url);
  } finally {
    for (const { child } of [target, recorder]) child.kill("SIGKILL");
    agent.destroy();
    rmSync(folder, { recursive: true });
  }
}

if (values.target) serveTarget();
else await bench();
