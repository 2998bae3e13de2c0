// A minimal server: `bare-server.mjs PORT RESPONSES`. It parses bodies, keeps nothing, and sends the given responses.
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

interface Given {
  readonly method: string;
  /** Prefix of the path. */
  readonly prefix: string;
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
}

const answers: readonly Given[] = JSON.parse(readFileSync(process.argv[3] ?? "", "utf8"));
const ready = answers.map(({ method, prefix, status, contentType, text }) => {
  const body = Buffer.from(text);
  return { method, prefix, status, body, headers: { "Content-Type": contentType, "Content-Length": body.length } };
});
const only = ready.length === 1 ? ready[0] : undefined;

function answer(request: IncomingMessage, response: ServerResponse): void {
  const { method, url = "" } = request;
  const found = only ?? ready.find((each) => each.method === method && url.startsWith(each.prefix));
  if (found === undefined) {
    response.writeHead(404).end();
    return;
  }
  response.writeHead(found.status, found.headers).end(found.body);
}

createServer((request, response) => {
  if (request.method === "GET") {
    answer(request, response);
    return;
  }
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    JSON.parse(Buffer.concat(chunks).toString());
    answer(request, response);
  });
}).listen(Number(process.argv[2]), "127.0.0.1");
