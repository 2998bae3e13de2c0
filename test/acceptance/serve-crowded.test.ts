import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { Agent, get, type IncomingMessage } from "node:http";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { root, serving, understudy } from "./_command-line.ts";
import { ready, servingProcess } from "./_process.ts";

/** As in src/entrypoints/cli/server/listen.ts: a stopping stub keeps idle connections open for this time. */
const idleGraceMs = 100;

/** Time of the signal that stops the stub; infinite before. */
interface Stop {
  signalMs: number;
}

/** Sends requests over kept connections until a connection is refused. Returns the outcome of each request. */
async function load(url: string, agent: Agent, stop: Stop): Promise<readonly string[]> {
  const outcomes: string[] = [];
  for (;;) {
    const outcome = await requested(url, agent, stop);
    if (outcome === "ECONNREFUSED") return outcomes;
    if (outcome !== "too late") outcomes.push(outcome);
  }
}

/**
 * Sends a request. "too late" means that it left after the stub had closed the kept connection: on a busy machine this
 * process can be suspended for longer than the grace period.
 */
function requested(url: string, agent: Agent, stop: Stop = { signalMs: Number.POSITIVE_INFINITY }): Promise<string> {
  return new Promise((resolve) => {
    let sentMs = Number.POSITIVE_INFINITY;
    const request = get(`${url}/v2/users`, { agent, headers: { Authorization: "Bearer any" } });
    request.once("finish", () => {
      sentMs = performance.now();
    });
    request.once("response", (response: IncomingMessage) => {
      text(response).then(
        (body) => resolve(`${response.statusCode} ${response.complete && body.includes('"users":[{')}`),
        () => resolve("cut off"),
      );
    });
    request.once("error", (error) => {
      const isLate = request.reusedSocket && sentMs > stop.signalMs + idleGraceMs;
      resolve(isLate ? "too late" : "code" in error ? String(error.code) : error.message);
    });
  });
}

test("SIGTERM under load: the stub responds to every request in progress, and exits with 0", async () => {
  const stub = await servingProcess([]);
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  onTestFinished(() => agent.destroy());
  const stop: Stop = { signalMs: Number.POSITIVE_INFINITY };
  const clients = Array.from({ length: 16 }, () => load(stub.url, agent, stop));
  for (let count = 0; count < 20; count += 1) await requested(stub.url, agent);
  const ended = stub.ended();
  stop.signalMs = performance.now();
  stub.child.kill("SIGTERM");
  const outcomes = (await Promise.all(clients)).flat();
  expect([...new Set(outcomes)]).toEqual(["200 true"]);
  expect(outcomes.length).toBeGreaterThan(16);
  expect(await ended).toMatchObject({ exitCode: 0, error: "" });
});

const main = fileURLToPath(new URL("../../src/entrypoints/cli/main.ts", import.meta.url));

/** A stub with a limit of open files. */
function confined(
  files: number,
  words: readonly string[],
): Promise<{ readonly url: string; readonly child: ChildProcess }> {
  const line = `ulimit -n ${files}; exec "$0" "$@"`;
  const child = spawn("sh", ["-c", line, process.execPath, main, "serve", "--port", "0", ...words], {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  return ready(child);
}

test("a stub with few open files refuses further connections with a message, warns once, and keeps serving", async () => {
  const { url, child } = await confined(60, []);
  let error = "";
  child.stderr?.on("data", (chunk) => {
    error += String(chunk);
  });
  const sockets: Socket[] = [];
  const responses: Promise<string>[] = [];
  for (let count = 0; count < 100; count += 1) {
    const socket = connect(Number(new URL(url).port), "127.0.0.1").on("error", () => undefined);
    sockets.push(socket);
    responses.push(text(socket).catch(() => ""));
    await once(socket, "connect");
  }
  const messageOf = (response: Promise<string>) =>
    response.then((received) => received || Promise.reject(new Error("no text")));
  expect(await Promise.any(responses.map(messageOf))).toContain(
    "The number of open connections has reached the limit of",
  );
  expect(child.exitCode).toBe(null);
  for (const socket of sockets) socket.destroy();
  const agent = new Agent();
  let outcome = await requested(url, agent);
  while (outcome !== "200 true") outcome = await requested(url, agent);
  child.kill("SIGTERM");
  const [exitCode] = await once(child, "close");
  expect(exitCode).toBe(0);
  expect(error.match(/Connection limit reached/g)).toHaveLength(1);
  expect(error).toContain("ulimit -n");
  expect(error).toMatch(/Limits exceeded: \d+ connections refused \(--limit connectionsMax=\d+\)/);
});

test("reports refused and dropped items at the end, as a sentence or as an event", async () => {
  for (const words of [[], ["--json"]]) {
    const stub = await serving(["--limit", "journalExchangesMax=1", "--limit", "bodyBytesMax=1024", ...words]);
    const ask = (body?: string) =>
      fetch(`${stub.url}/v2/users`, {
        headers: { Authorization: "Bearer any" },
        ...(body === undefined ? {} : { method: "POST", body }),
      });
    expect([(await ask()).status, (await ask()).status, (await ask("x".repeat(1025))).status]).toEqual([200, 200, 413]);
    const ended = stub.ended();
    stub.stop();
    const { out, error } = await ended;
    if (words.length === 0)
      expect(error).toBe(
        "Limits exceeded: 1 request refused for its body (--limit bodyBytesMax=1024); 1 exchange dropped from journals (--limit journalExchangesMax=1).\n",
      );
    else
      expect(JSON.parse(out.trim().split("\n").at(-1) ?? "")).toMatchObject({
        event: "limits-summary",
        limits: [
          { name: "bodyBytesMax", value: 1024, exceeded: 1 },
          { name: "journalExchangesMax", value: 1, exceeded: 1 },
        ],
        malformed: 0,
      });
  }
});

test.each([
  [["--limit", "bodyBytesMax=0"], "--limit bodyBytesMax=0: out of range. Use 1024 to 50331648 bytes."],
  [
    ["--limit", "headTimeoutMs=soon"],
    "--limit headTimeoutMs=soon: not a whole number. Use headTimeoutMs=N, 100 to 3600000 ms.",
  ],
  [["--limit", "headTimeoutMs=400000"], "--limit headTimeoutMs=400000: more than requestTimeoutMs, which is 300000."],
  [
    ["--limit", "connectionsMax=-1"],
    "--limit connectionsMax=-1: not a whole number. Use connectionsMax=N, 1 to 100000.",
  ],
  [["--limit", "worldsMax=5=6"], "--limit worldsMax=5=6: not a whole number. Use worldsMax=N, 1 to 1000000."],
  [["--limit", "worldsMax"], "--limit worldsMax: not a whole number. Use worldsMax=N, 1 to 1000000."],
  [["--limit", "worldMax=1"], '--limit worldMax=1: unknown limit. Did you mean "worldsMax"?'],
  [["--limit", "worldsMax=1", "--limit", "worldsMax=2"], "--limit worldsMax=2: worldsMax is given twice."],
  [["--limit", "nestingMax=1001"], "--limit nestingMax=1001: out of range. Use 10 to 1000."],
  [["--limit", "journalExchangesMax=0"], "--limit journalExchangesMax=0: out of range. Use 1 to 1000000."],
])("refuses an invalid limit: %j", async (words, error) => {
  expect(await understudy(["serve", "--port", "0", ...words])).toMatchObject({ exitCode: 2, error: `${error}\n` });
});
