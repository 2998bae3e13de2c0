import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { harEntry, harText } from "../_har.ts";
import { folderOf, running, understudy } from "./_command-line.ts";

const node = "http://node.example";
const page = '{"users":[],"nextPageToken":""}';
const users = (startedAt: string) => harEntry(`${node}/v2/users`, { startedAt, text: page });
const attached = (name: string) =>
  harEntry(`${node}/v2/users`, { content: { mimeType: "application/json", size: 1, _file: name } });
const utf16 = (text: string, isLittle: boolean) => {
  const bytes = Buffer.from(`\ufeff${text}`, "utf16le");
  return isLittle ? bytes : bytes.swap16();
};
const socket = {
  ...harEntry("wss://node.example/v2/updates", { status: 101 }),
  _resourceType: "websocket",
  _webSocketMessages: [{ type: "send", time: 1, opcode: 1, data: '{"token":"MARKED-token-1","beginExclusive":0}' }],
};
const ledger = "users: [{ id: alice }]\n";

const folder = folderOf({
  "attached.har": harText([attached("body.json"), attached("resources/body.json")]),
  "body.json": page,
  "resources/body.json": page,
  "outside.har": harText([attached("../body.json")]),
  "socket.har": harText([
    socket,
    harEntry("data:image/png;base64,iVBORw0KGgo="),
    harEntry(`${node}/x?key=MARKED-key-1&dp=30`),
  ]),
  "newest-first.har": harText([users("2026-01-01T00:00:03Z"), users("2026-01-01T02:00:02+02:00")]),
  "archive.zip": "PK\u0003\u0004 and more",
});
for (const isLittle of [true, false]) {
  const name = isLittle ? "le" : "be";
  writeFileSync(join(folder, `utf16${name}.har`), utf16(harText([users("2026-01-01T00:00:00Z")]), isLittle));
  writeFileSync(join(folder, `utf16${name}.ledger.yaml`), utf16(`participant: p\n${ledger}`, isLittle));
}

test.each(["utf16le", "utf16be"])("every command reads a recording in %s, as Windows writes it", async (name) => {
  expect(await understudy(`check ${name}.har`, { folder })).toMatchObject({
    exitCode: 0,
    out: expect.stringContaining("1 passed"),
  });
  expect(await understudy(`redact ${name}.har --out ${name}-redacted.har`, { folder })).toMatchObject({ exitCode: 0 });
  const replayed = await running(["replay", `${name}.har`, "--port", "0"], { folder });
  expect(await (await fetch(`${replayed.url}/v2/users`)).text()).toBe(page);
  await replayed.end();
});

test("reads bodies in files beside the recording, and no others", async () => {
  expect((await understudy("check attached.har", { folder })).out).toContain("2 exchanges: 2 passed");
  expect(await understudy("check outside.har", { folder })).toMatchObject({ exitCode: 5 });
  const replayed = await running(["replay", "attached.har", "--port", "0"], { folder });
  expect(await (await fetch(`${replayed.url}/v2/users`)).text()).toBe(page);
  await replayed.end();
});

test("an archive is refused with what to do", async () => {
  const { exitCode, error } = await understudy("check archive.zip", { folder });
  expect([exitCode, error]).toEqual([2, expect.stringContaining("archive.zip is a ZIP archive. Unpack it")]);
});

test("redact keeps every entry and message without its secrets", async () => {
  expect(await understudy("redact socket.har --out kept.har", { folder })).toMatchObject({ exitCode: 0 });
  const text = readFileSync(join(folder, "kept.har"), "utf8");
  expect(text).not.toContain("MARKED");
  const { entries } = JSON.parse(text).log;
  expect(entries.map((entry: { readonly request: { readonly url: string } }) => entry.request.url)).toEqual([
    "wss://node.example/v2/updates",
    "data:image/png;base64,iVBORw0KGgo=",
    expect.stringMatching(/\/x\?key=secret-\d&dp=30$/),
  ]);
  expect(JSON.parse(entries[0]._webSocketMessages[0].data)).toMatchObject({ beginExclusive: 0 });
});

test("the order of a file does not change what is replayed", async () => {
  const replayed = await running(["replay", "newest-first.har", "--port", "0", "--match", "strict", "--json"], {
    folder,
  });
  await (await fetch(`${replayed.url}/v2/users`)).text();
  expect((await replayed.end()).out).toContain('"exchange":2');
});

test("check names what is not a request to an API, with numbers", async () => {
  const preflight = harEntry(`${node}/v2/users`, {
    method: "OPTIONS",
    headers: { "Access-Control-Request-Method": "GET" },
  });
  const tunnel = harEntry("node.example:443", { method: "CONNECT" });
  const data = [harEntry("data:,x"), harEntry("data:,y")];
  const entries = [socket, ...data, preflight, tunnel, users("2026-01-01T00:00:00Z")];
  writeFileSync(join(folder, "page.har"), harText(entries));
  const { exitCode, error } = await understudy("check page.har", { folder });
  expect([exitCode, error]).toEqual([
    0,
    expect.stringContaining(
      "not checked: 1 WebSocket with 1 message, 2 data: URLs, 1 CORS preflight, 1 CONNECT tunnel.",
    ),
  ]);
});

test("the requests of a collection that have no saved response are counted", async () => {
  const saved = { code: 200, header: [{ key: "Content-Type", value: "application/json" }], body: page };
  const request = { method: "GET", url: { host: ["{{host}}"], path: ["v2", "users"] } };
  const item = [{ request, response: [saved] }, { request }, { request, response: [] }];
  const info = { schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json" };
  const variable = [{ key: "host", value: "http://node.example" }];
  writeFileSync(join(folder, "collection.json"), JSON.stringify({ info, item, variable }));
  const { exitCode, out, error } = await understudy("check collection.json --profile canton-3.5", { folder });
  expect([exitCode, error]).toEqual([0, expect.stringContaining("skipped, no saved response: 2 requests.")]);
  expect(out).not.toMatch(/memory/i);
});
