import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { type AddressInfo, connect, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { generate } from "selfsigned";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { emptyBody } from "../../foundation/http/body.ts";
import { type ClientLimits, sendOverHttp } from "./send-over-http.ts";

const get = { method: "GET", target: "/v2/version", headers: [["X-a", "1"]], body: emptyBody } as const;

interface Certificate {
  readonly cert: string;
  readonly key: string;
}

let own: Certificate;
beforeAll(async () => {
  const { cert, private: key } = await generate([{ name: "commonName", value: "node" }], { algorithm: "sha256" });
  own = { cert, key };
});

async function listening(server: Server): Promise<string> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => sockets.add(socket.on("error", () => undefined)));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const node = () => createServer((_, response) => response.end("plain"));
const secureNode = (options: object) => createSecureServer(options, (_, response) => response.end("secure"));

/** A proxy that notes what it is asked for; `refusal` is its status for everything. */
async function proxying(refusal?: number) {
  const asked: (string | undefined)[] = [];
  const proxy = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`, request.headers["proxy-authorization"]);
    response.writeHead(refusal ?? 200).end("by proxy");
  });
  proxy.on("connect", (request, socket: Duplex) => {
    asked.push(`CONNECT ${request.url}`, request.headers["proxy-authorization"]);
    if (refusal !== undefined) {
      socket.end(`HTTP/1.1 ${refusal} No\r\n\r\n`);
      return;
    }
    const [host, port] = String(request.url).split(":");
    const upstream = connect(Number(port), host, () => {
      socket.write("HTTP/1.1 200 Connected\r\n\r\n");
      upstream.pipe(socket).pipe(upstream);
    });
    socket.on("close", () => upstream.destroy());
  });
  return { url: `http://${await listening(proxy)}`, asked };
}

async function bodyFrom(url: string, more: ClientLimits): Promise<unknown> {
  const client = sendOverHttp(url, { timeoutMs: 20_000, ...more });
  onTestFinished(() => client.close());
  const response = await client(get);
  return response.type === "response" ? `${response.status} ${response.body.text()}` : response;
}

const failureAt = (url: string, more: ClientLimits = {}) =>
  bodyFrom(url, more).catch((error: unknown) => error as { reason: string; remedy: string | undefined });

test("sends a request for plain HTTP to the proxy, with the whole URL and the credentials", async () => {
  const { url, asked } = await proxying();
  const HTTP_PROXY = url.replace("//", "//user:p%40ss@");
  expect(await bodyFrom("http://node.example.com:7575/base", { variables: { HTTP_PROXY } })).toBe("200 by proxy");
  const credentials = `Basic ${Buffer.from("user:p@ss").toString("base64")}`;
  expect(asked).toEqual(["GET http://node.example.com:7575/base/v2/version", credentials]);
});

test("sends a request with TLS through a tunnel of the proxy, and none for a host in NO_PROXY", async () => {
  const target = await listening(secureNode(own));
  const { url: https_proxy, asked } = await proxying();
  const failure = await failureAt(`https://${target}`, { variables: { https_proxy } });
  expect(asked).toEqual([`CONNECT ${target}`, undefined]);
  expect(failure).toMatchObject({ reason: expect.stringContaining("not trusted") });
  await failureAt(`https://${target}`, { variables: { https_proxy, no_proxy: "127.0.0.1" } });
  expect(asked).toHaveLength(2);
});

test.each([403, 407])("names a proxy that refuses a tunnel with %i", async (status) => {
  const { url } = await proxying(status);
  expect(await failureAt("https://node.example.com", { variables: { HTTPS_PROXY: url } })).toMatchObject({
    reason: `the proxy ${url} refuses to connect to node.example.com:443 (${status} No)`,
    remedy: expect.stringContaining("NO_PROXY"),
  });
});

test("names a proxy that requires credentials or does not respond", async () => {
  const { url } = await proxying(407);
  const variables = { HTTP_PROXY: url };
  expect(await failureAt("http://node.example.com", { variables })).toMatchObject({
    reason: `the proxy ${url} refuses the request (407)`,
  });
  const gone = { HTTP_PROXY: "http://127.0.0.1:1", HTTPS_PROXY: "http://127.0.0.1:1" };
  for (const scheme of ["http", "https"])
    expect(await failureAt(`${scheme}://node.example.com`, { variables: gone })).toMatchObject({
      reason: expect.stringMatching(/^the proxy http:\/\/127\.0\.0\.1:1 does not respond.*ECONNREFUSED/),
    });
  expect(await failureAt("http://node", { variables: { HTTP_PROXY: "socks5://p" } })).toMatchObject({
    reason: expect.stringContaining("socks5://"),
  });
});

test.each<[what: string, server: () => Promise<Server> | Server, scheme: string, failure: object]>([
  [
    "is not trusted",
    () => secureNode(own),
    "https",
    { reason: "its certificate is not trusted: DEPTH_ZERO_SELF_SIGNED_CERT", remedy: /NODE_EXTRA_CA_CERTS/ },
  ],
  ["is missing: http", () => node(), "https", { reason: "it does not speak TLS", remedy: /http:\/\// }],
  ["is not expected: https", () => secureNode(own), "http", { reason: "it speaks TLS", remedy: /https:\/\// }],
  [
    "of an old TLS",
    () => secureNode({ ...own, minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers: "DEFAULT@SECLEVEL=0" }),
    "https",
    { reason: "it has no TLS version that this Node accepts", remedy: /tls-min/ },
  ],
])("a server whose certificate %s gets a reason and a remedy", async (_what, server, scheme, failure) => {
  const { reason, remedy } = failure as { reason: string; remedy: RegExp };
  const received = await failureAt(`${scheme}://${await listening(await server())}`);
  expect(received).toMatchObject({ reason, remedy: expect.stringMatching(remedy) });
});
