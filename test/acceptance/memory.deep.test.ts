import { once } from "node:events";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { limitValues } from "../../src/foundation/limits/limits.ts";
import { temporaryFolder } from "./_command-line.ts";
import { memorySum, processMemory } from "./_memory-sum.ts";
import { servingProcess } from "./_process.ts";

const mebi = 1024 * 1024;
const worlds = 3;
const limits = limitValues({ connectionsMax: 200, bufferedBytesMax: 32 * mebi, eventStreamsMax: 10 });
const flags = ["connectionsMax=200", `bufferedBytesMax=${32 * mebi}`, "eventStreamsMax=10"].flatMap((limit) => [
  "--limit",
  limit,
]);

const sum = memorySum(limits, worlds);

/** A stub in a process of its own, and the largest memory that it had when it has ended, in bytes. */
async function measured() {
  const folder = temporaryFolder();
  const [watch, result, heldFile] = [join(folder, "watch.mjs"), join(folder, "peak"), join(folder, "held")];
  writeFileSync(
    watch,
    `import { renameSync, writeFileSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
setFlagsFromString("--expose-gc");
const gc = runInNewContext("gc");
process.on("SIGUSR2", () => {
  gc();
  const { heapUsed, external } = process.memoryUsage();
  writeFileSync(${JSON.stringify(`${heldFile}.new`)}, String(heapUsed + external));
  renameSync(${JSON.stringify(`${heldFile}.new`)}, ${JSON.stringify(heldFile)});
});
process.on("exit", () => writeFileSync(${JSON.stringify(result)}, String(process.resourceUsage().maxRSS)));`,
  );
  const heap = `--max-old-space-size=${Math.floor(sum / mebi)}`;
  const variables = { NODE_OPTIONS: `${heap} --import=${pathToFileURL(watch).href}` };
  const stub = await servingProcess(flags, { variables });
  const peak = async () => {
    const ended = stub.ended();
    stub.child.kill("SIGTERM");
    expect((await ended).exitCode).toBe(0);
    return 1024 * Number(readFileSync(result, "utf8"));
  };
  /** The bytes that are in use after garbage collection. */
  const held = async () => {
    rmSync(heldFile, { force: true });
    stub.child.kill("SIGUSR2");
    while (!existsSync(heldFile)) await setImmediate();
    return Number(readFileSync(heldFile, "utf8"));
  };
  const port = Number(new URL(stub.url).port);
  return { url: stub.url, peak, held, open: () => open(port) };
}

async function open(port: number): Promise<Socket> {
  const socket = connect({ port, host: "127.0.0.1" });
  onTestFinished(() => {
    socket.destroy();
  });
  socket.on("error", () => undefined);
  await once(socket, "connect");
  return socket;
}

const fields = "Host: 127.0.0.1\r\nAuthorization: Bearer any\r\nContent-Type: application/json\r\n";

/** Opens connections that all send the same bytes and read no response. */
async function sendUnread(stub: { open(): Promise<Socket> }, count: number, bytes: Buffer): Promise<readonly Socket[]> {
  const sockets = await Promise.all(Array.from({ length: count }, () => stub.open()));
  for (const socket of sockets) socket.pause().write(bytes);
  return sockets;
}

/** Waits until the stub has used what the sockets sent: its counts no longer change, and it reads no more. */
async function settled(url: string, sockets: readonly Socket[]): Promise<void> {
  let [before, same] = ["", 0];
  while (same < 20) {
    const response = await fetch(`${url}/__understudy/limits`);
    const now = `${await response.text()} ${sockets.map(({ bytesWritten, writableLength }) => bytesWritten - writableLength)}`;
    same = now === before ? same + 1 : 0;
    before = now;
    await setImmediate();
  }
}

async function post(url: string, path: string, body: string): Promise<number> {
  const headers = { Authorization: "Bearer any", "Content-Type": "application/json" };
  return (await fetch(`${url}${path}`, { method: "POST", headers, body })).status;
}

/** Fills the journals of all worlds, with texts that take two bytes for each character. */
async function fillJournals(url: string): Promise<void> {
  for (let fork = 1; fork < worlds; fork += 1)
    expect(await post(url, "/__understudy/worlds/default/fork", "{}")).toBe(201);
  const body = JSON.stringify({ userId: `ł${"a".repeat(mebi)}` });
  for (const prefix of ["", "/w/fork-1", "/w/fork-2"])
    for (let count = 0; count < 12; count += 1) await post(url, `${prefix}/v2/users/alice/rights`, body);
}

test("a stub holds no more than its stated sum under the worst requests, and its process stays below the stated memory", async () => {
  const stub = await measured();
  await fillJournals(stub.url);
  const streams = Buffer.from(`GET /__understudy/events HTTP/1.1\r\n${fields}\r\n`);
  const listening = await sendUnread(stub, limits.eventStreamsMax, streams);
  const unfinished = `POST /v2/users/alice/rights HTTP/1.1\r\n${fields}Content-Length: 8000000\r\n\r\n`;
  const chunked = `POST /v2/users/alice/rights HTTP/1.1\r\n${fields}Transfer-Encoding: chunked\r\n\r\n`;
  const listing = `GET /__understudy/worlds/default/traffic?limit=100 HTTP/1.1\r\n${fields}\r\n`;
  const shapes = [
    { count: 60, bytes: Buffer.from(unfinished.padEnd(1_900_000)) },
    { count: 4, bytes: Buffer.from(chunked + "1\r\na\r\n".repeat(300_000)) },
    { count: 50, bytes: Buffer.from(listing.repeat(500)) },
    { count: 50, bytes: Buffer.from(`GET /v2/users HTTP/1.1\r\n${fields}\r\n`.repeat(900)) },
  ];
  for (const { count, bytes } of shapes) {
    const sockets = await sendUnread(stub, count, bytes);
    await settled(stub.url, sockets);
    expect(await stub.held()).toBeLessThan(sum);
    for (const socket of sockets) socket.destroy();
  }
  for (const socket of listening) socket.destroy();
  expect(await stub.peak()).toBeLessThan(processMemory(sum));
});
