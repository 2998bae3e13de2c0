import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { Agent, createServer, get, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { recoverRecording } from "../../src/entrypoints/cli/record/recover-recording.ts";
import { namedFile } from "../../src/entrypoints/programs/files/named-file.ts";

/** The recording after a crash. */
export interface Crash {
  readonly finished: number;
  readonly kept: number;
  readonly wasIncomplete: boolean;
  /** Finished exchanges that the recovered recording does not have. */
  readonly lost: readonly string[];
}

const clients = 8;
/** Most chunks of responses before a crash. */
const chunksMax = 400;
const bodyBytesMax = 2_000_000;

/**
 * Kills a recorder under load at a random time, and recovers its recording. An exchange is finished when its client has the
 * whole response.
 */
export async function crash(random: () => number): Promise<Crash> {
  const folder = mkdtempSync(join(tmpdir(), "understudy-crash-"));
  const target = await targetOf(random);
  try {
    const file = join(folder, "x.har");
    const { child, url } = await recorderOf(target, file);
    const ended = once(child, "close");
    const load = loadOn(url, Math.ceil(random() * chunksMax));
    await load.isStarted;
    child.kill("SIGKILL");
    await ended;
    const finished = await load.end();
    const { isComplete } = await recoverRecording(namedFile(file, { folder: "/" }));
    const ids = idsIn(readFileSync(file, "utf8"));
    const lost = finished.filter((id) => !ids.has(id));
    return { finished: finished.length, kept: ids.size, wasIncomplete: !isComplete, lost };
  } finally {
    target.close();
    target.closeAllConnections();
    rmSync(folder, { recursive: true });
  }
}

const main = fileURLToPath(new URL("../../src/entrypoints/cli/main.ts", import.meta.url));

async function recorderOf(
  target: Server,
  file: string,
): Promise<{ readonly child: ChildProcess; readonly url: string }> {
  const words = ["record", "--port", "0", "--ledger", urlOf(target), "--out", file];
  const child = spawn(process.execPath, [main, ...words], { stdio: ["ignore", "pipe", "inherit"] });
  let out = "";
  for await (const chunk of child.stdout) {
    out += String(chunk);
    const url = /requests to (http:\S+).*Ctrl-C/s.exec(out)?.[1];
    if (url !== undefined) return { child, url };
  }
  throw new Error(`the recorder ended: ${out}`);
}

function urlOf(server: Server): string {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return `http://127.0.0.1:${address.port}`;
}

/** Responses of very different lengths, some at once and some in parts. */
async function targetOf(random: () => number): Promise<Server> {
  const server = createServer((incoming, outgoing) => {
    const body = JSON.stringify({ id: incoming.url, text: "x".repeat(Math.floor(random() ** 10 * bodyBytesMax)) });
    outgoing.setHeader("Content-Type", "application/json");
    if (random() < 0.5) outgoing.setHeader("Content-Length", body.length);
    else outgoing.write(body.slice(0, 10));
    setImmediate(() => outgoing.end(outgoing.headersSent ? body.slice(10) : body));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

interface Load {
  /** Resolves after a complete response and the given number of chunks. */
  readonly isStarted: Promise<void>;
  end(): Promise<readonly string[]>;
}

function loadOn(url: string, chunks: number): Load {
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const finished: string[] = [];
  let isOver = false;
  let chunksReceived = 0;
  const started = Promise.withResolvers<void>();
  const onChunk = () => {
    chunksReceived += 1;
    if (chunksReceived >= chunks && finished.length > 0) started.resolve();
  };
  const runs = Array.from({ length: clients }, async (_, client) => {
    for (let count = 0; !isOver; count += 1) {
      const id = `/v2/users?n=${client}-${count}`;
      if (!(await isResponded(`${url}${id}`, agent, onChunk))) return;
      finished.push(id);
    }
  });
  return {
    isStarted: started.promise,
    end: async () => {
      isOver = true;
      await Promise.all(runs);
      agent.destroy();
      return finished;
    },
  };
}

function isResponded(url: string, agent: Agent, onChunk: () => void): Promise<boolean> {
  return new Promise((resolve) => {
    const request = get(url, { agent }, (response) => {
      response.on("data", onChunk);
      response.on("end", () => resolve(response.complete));
      response.on("error", () => resolve(false));
    });
    request.on("error", () => resolve(false));
  });
}

function idsIn(text: string): ReadonlySet<string> {
  const { log } = JSON.parse(text);
  const entries: readonly { readonly request: { readonly url: string } }[] = log.entries;
  return new Set(entries.map(({ request }) => request.url.replace(/^http:\/\/[^/]*/, "")));
}
