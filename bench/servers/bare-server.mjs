// A minimal server: `node bare-server.mjs PORT RESPONSES`. It parses bodies, keeps nothing, and sends the given responses.
// JavaScript, so that its start does not include the removal of types.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";

/** Each has a method, a prefix of the path, a status, a media type and a text. */
const given = JSON.parse(readFileSync(process.argv[3], "utf8"));
const ready = given.map(({ method, prefix, status, contentType, text }) => {
  const body = Buffer.from(text);
  return { method, prefix, status, body, headers: { "Content-Type": contentType, "Content-Length": body.length } };
});
const only = ready.length === 1 ? ready[0] : undefined;

function respond({ method, url }, response) {
  const found = only ?? ready.find((each) => each.method === method && url.startsWith(each.prefix));
  if (found === undefined) response.writeHead(404).end();
  else response.writeHead(found.status, found.headers).end(found.body);
}

createServer((request, response) => {
  if (request.method === "GET") {
    respond(request, response);
    return;
  }
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => {
    JSON.parse(Buffer.concat(chunks).toString());
    respond(request, response);
  });
}).listen(Number(process.argv[2]), "127.0.0.1");
