import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer, request as httpRequest, type Server } from "node:http";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { portOf } from "../proxy/_wire.ts";
import { eventsIn, expectRefusal, folderOf, recording, serving, temporaryFolder, understudy } from "./_command-line.ts";
import { main, ready } from "./_process.ts";

// Tests run concurrently, so all targets are closed after the last one.
const targets: Server[] = [];
afterAll(() => {
  for (const target of targets) {
    target.closeAllConnections();
    target.close();
  }
});

async function targetOf(response: (path: string) => string): Promise<string> {
  const server = createServer((incoming, outgoing) => {
    incoming.resume();
    outgoing.setHeader("Content-Type", "application/json");
    outgoing.end(response(incoming.url ?? ""));
  });
  server.listen(0, "127.0.0.1");
  targets.push(server);
  await once(server, "listening");
  return `http://127.0.0.1:${portOf(server.address())}`;
}

/** The header fields of a response without date and connection. */
function fieldsOf({ headers }: Response) {
  return [...headers].filter(([name]) => !["connection", "keep-alive", "date"].includes(name));
}

const users = { headers: { Authorization: "Bearer very-secret-token" } };

test("a recording has no original ids and no secrets, and --names keeps the originals", async () => {
  const folder = temporaryFolder();
  const stub = await serving(["--profile", "canton-3.5"]);
  const party = /alice::1220[0-9a-f]{64}/;
  for (const [file, more] of [
    ["x.har", ["--names", "names.json"]],
    ["private.har", ["--keep-ids"]],
  ] as const) {
    const recorder = await recording(["--ledger", stub.url, "--out", file, ...more], { folder });
    const response = await (await fetch(`${recorder.url}/v2/users`, users)).text();
    expect(response).toMatch(party);
    const ended = recorder.ended();
    recorder.stop();
    expect(await ended).toMatchObject({ exitCode: 0, error: "" });
    const text = readFileSync(join(folder, file), "utf8");
    expect(text).toContain("Bearer token-1");
    expect(text).not.toContain("very-secret-token");
    expect(party.test(text)).toBe(file === "private.har");
    expect(/party-1::1220[0-9a-f]{64}/.test(text)).toBe(file === "x.har");
  }
  expect(readFileSync(join(folder, "names.json"), "utf8")).toContain('"original":"alice","name":"party-1"');
  expect(statSync(join(folder, "names.json")).mode % 0o1000).toBe(0o600);
});

test("--inspector shows the redacted traffic on its own port until the recording ends", async () => {
  const folder = temporaryFolder();
  const stub = await serving(["--profile", "canton-3.5"]);
  const recorder = await recording(["--ledger", stub.url, "--out", "x.har", "--inspector"], { folder });
  const inspector = /^Inspector: (http:\/\/127\.0\.0\.1:\d+)\/__understudy\/$/m.exec(recorder.ready)?.[1];
  await fetch(`${recorder.url}/v2/users`, users);
  const shown = await (await fetch(`${inspector}/__understudy/worlds/default/traffic`)).text();
  expect(JSON.parse(shown).lines).toMatchObject([{ operationId: "getV2Users", status: 200 }]);
  const exchange = await (await fetch(`${inspector}/__understudy/worlds/default/traffic/1`)).text();
  expect(exchange).toContain("party-1::1220");
  expect(exchange).not.toContain("very-secret-token");
  expect((await fetch(`${inspector}/v2/users`)).status).toBe(404);
  const events = await fetch(`${inspector}/__understudy/events`);
  expect((await recorder.end()).exitCode).toBe(0);
  await expect(events.text()).rejects.toThrow();
});

test("the check is incomplete if the target never responds", async () => {
  const folder = temporaryFolder();
  const recorder = await recording(["--ledger", "http://127.0.0.1:1", "--out", "x.har"], { folder });
  expect((await fetch(`${recorder.url}/v2/users`)).status).toBe(502);
  const { exitCode, out } = await recorder.end();
  expect(out).toContain("x.har: 1 exchange recorded\n");
  expect(out).toContain(
    "Nothing was checked: getV2Users was not checked: the ledger at http://127.0.0.1:1/ cannot be reached",
  );
  expect(exitCode).toBe(5);
});

test("an earlier recording is kept if the new one cannot start", async () => {
  const folder = folderOf({ "x.har": "the earlier one" });
  const itself = ["--ledger", "http://127.0.0.1:7999", "--port", "7999", "--out", "x.har", "--force"];
  expect((await understudy(["record", ...itself], { folder })).exitCode).toBe(2);
  const stub = await serving([]);
  const taken = ["--ledger", "http://127.0.0.1:1", "--port", new URL(stub.url).port, "--out", "x.har", "--force"];
  const ran = await understudy(["record", ...taken], { folder });
  expect(ran).toMatchObject({ exitCode: 2, error: expect.stringContaining("is taken") });
  expect(readFileSync(join(folder, "x.har"), "utf8")).toBe("the earlier one");
});

test("a request with target * is recorded like any other", async () => {
  const folder = temporaryFolder();
  const url = await targetOf(() => "a long response");
  const recorder = await recording(["--ledger", url, "--out", "x.har", "--limit", "bodyBytesMax=5"], { folder });
  const ended = recorder.ended();
  await new Promise((resolve, reject) => {
    const { hostname, port } = new URL(recorder.url);
    const requested = httpRequest({ hostname, port, method: "OPTIONS", path: "*" }, (incoming) => {
      incoming.resume();
      incoming.on("end", resolve);
    });
    requested.on("error", reject);
    requested.end();
  });
  recorder.stop();
  const { exitCode, error } = await ended;
  expect([exitCode, error]).toEqual([0, expect.stringMatching(/^OPTIONS \* is incomplete: /)]);
});

test("an exchange with a remaining secret reaches its client and no file", async () => {
  const folder = temporaryFolder();
  const stub = await serving(["--profile", "canton-3.5"]);
  const recorder = await recording(["--ledger", stub.url, "--out", "x.har"], { folder });
  // The redactor keeps the names of headers.
  const jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJl";
  const headers = { ...users.headers, [jwt]: "x" };
  expect((await fetch(`${recorder.url}/v2/nothing`, { headers })).status).toBe(404);
  expect((await fetch(`${recorder.url}/v2/users`, users)).status).toBe(200);
  const { exitCode, out, error } = await recorder.end();
  expect(error).toMatch(/^GET \/v2\/nothing is not recorded: a JWT would remain\. /);
  expect(out).toContain("x.har: 1 exchange recorded\n  1 exchange not recorded: a secret would remain");
  const written = readFileSync(join(folder, "x.har"), "utf8").toLowerCase();
  expect([exitCode, written.includes("c2lnbmf0dxjl")]).toEqual([2, false]);
});

test("records and checks the traffic, and check returns the same verdict for the file", async () => {
  const folder = temporaryFolder();
  const stub = await serving(["--profile", "canton-3.5"]);
  const flags = ["--ledger", stub.url, "--out", "x.har", "--ready-file", "url"];
  const recorder = await recording(flags, { folder });
  expect(recorder.ready).toMatch(
    /^Recording to x\.har\. Send requests to http:\/\/127\.0\.0\.1:\d+\nThey are forwarded to http/,
  );
  expect(readFileSync(join(folder, "url"), "utf8")).toBe(`${recorder.url}\n`);
  for (const path of ["/v2/users", "/v2/users?pageSize=x", "/v2/nothing"]) {
    const [direct, through] = [await fetch(`${stub.url}${path}`, users), await fetch(`${recorder.url}${path}`, users)];
    expect([through.status, await through.text()]).toEqual([direct.status, await direct.text()]);
    expect(fieldsOf(through)).toEqual(fieldsOf(direct));
  }
  const { exitCode, out, error } = await recorder.end();
  expect(out).toContain("x.har: 3 exchanges recorded\n");
  expect([error, existsSync(join(folder, "url")), existsSync(join(folder, "x.har.lock"))]).toEqual(["", false, false]);
  const checked = await understudy(["check", "x.har"], { folder });
  const verdict = (text: string) => text.slice(text.indexOf("Checked against")).replaceAll(/Checked.*\n/g, "");
  expect(verdict(out)).toBe(verdict(checked.out));
  expect(exitCode).toBe(checked.exitCode);
  const text = readFileSync(join(folder, "x.har"), "utf8");
  expect(text.split("\n")).toHaveLength(5);
  expect(text).not.toContain("very-secret-token");
  expect(JSON.parse(text).log.entries[0]).toMatchObject({
    request: { method: "GET", url: `${stub.url}/v2/users` },
    response: { status: 200, statusText: "OK" },
  });
});

test("with --json each event is one line", async () => {
  const folder = temporaryFolder();
  const url = await targetOf(() => "{}");
  const recorder = await recording(["--registry", url, "--out", "x.har", "--json"], { folder });
  expect(JSON.parse(recorder.ready)).toMatchObject({ event: "ready", registry: url, out: "x.har" });
  await fetch(`${recorder.url}/registry/metadata/v1/info`);
  const events = eventsIn((await recorder.end()).out);
  expect(events.slice(1)).toMatchObject([
    { event: "recorded", recorded: 1, cut: 0, withheld: 0, dropped: 0, inconclusive: 0 },
    { event: "verdict", exchanges: 1, sources: [url] },
  ]);
});

test("warns about a body that is too long to record", async () => {
  const folder = temporaryFolder();
  const url = await targetOf(() => `"${"x".repeat(2000)}"`);
  const recorder = await recording(["--ledger", url, "--out", "x.har", "--limit", "bodyBytesMax=1000"], { folder });
  for (let count = 0; count < 2; count += 1)
    expect(await (await fetch(`${recorder.url}/v2/users`)).text()).toHaveLength(2002);
  const { exitCode, out, error } = await recorder.end();
  expect(error).toBe(
    "GET /v2/users is incomplete: the response body is omitted: 2002 bytes exceed the limit of 1000. The summary counts further ones.\n",
  );
  expect(out).toContain("x.har: 2 exchanges recorded\n  2 exchanges recorded without a body: too long\n");
  expect(out).toContain("Nothing was checked: getV2Users was not checked: the response body is omitted");
  expect(exitCode).toBe(5);
});

test.concurrent("a file that cannot grow ends the recording, and stays valid", async () => {
  const folder = temporaryFolder();
  const url = await targetOf((path) => JSON.stringify({ path, text: "x".repeat(5000) }));
  const command = `ulimit -f 64; exec "$0" "$@"`;
  const words = ["record", "--port", "0", "--ledger", url, "--out", "x.har"];
  const child = spawn("bash", ["-c", command, process.execPath, main, ...words], {
    cwd: folder,
    env: { PATH: process.env["PATH"] ?? "" },
  });
  const recorder = await ready(child);
  const ended = recorder.ended();
  const responded = [];
  for (let count = 0; count < 50; count += 1) {
    const body = await fetch(`${recorder.url}/v2/users?n=${count}`).then(
      (response) => response.text(),
      () => undefined,
    );
    if (body === undefined) break;
    expect(JSON.parse(body).text).toHaveLength(5000);
    responded.push(count);
  }
  const { exitCode, error } = await ended;
  expect(exitCode).toBe(2);
  expect(error).toMatch(/^x\.har: writing failed \(the file may not grow, EFBIG\)\. The file keeps \d+ exchanges; /m);
  const kept = Number(/keeps (\d+) exchanges/.exec(error)?.[1]);
  const { entries } = JSON.parse(readFileSync(join(folder, "x.har"), "utf8")).log;
  expect(entries).toHaveLength(kept);
  // The last one got its response, but is not recorded.
  expect(responded.length).toBe(kept + 1);
});

test("--recover repairs a recording after a crash, and does not change a complete one", async () => {
  const folder = temporaryFolder();
  const entry = '{"request":{},"response":{}}';
  writeFileSync(
    join(folder, "x.har"),
    `{"log":{"version":"1.2","creator":{},"entries":[\n${entry},\n${entry},\n{"requ`,
  );
  const recover = (...more: readonly string[]) => understudy(["record", "--recover", "x.har", ...more], { folder });
  const repaired = "x.har is repaired: 2 entries kept; 8 bytes of an incomplete entry removed\n";
  expect(await recover()).toEqual({ exitCode: 0, out: repaired, error: "" });
  const { mtimeMs } = statSync(join(folder, "x.har"));
  expect(JSON.parse((await recover("--json")).out)).toEqual({
    event: "recovered",
    file: "x.har",
    entries: 2,
    isComplete: true,
    removedBytes: 0,
  });
  expect(statSync(join(folder, "x.har")).mtimeMs).toBe(mtimeMs);
});

const itself = "is the address of this proxy itself";
const toLedger = "--ledger http://a --out x.har";

test.each([
  ["no target", "--out x.har", "record needs a target"],
  ["no file", "--ledger http://127.0.0.1:1", "record needs an output file: --out x.har"],
  ["a target that is not a URL", "--ledger x --out x.har", "is not an http or https URL"],
  ["itself as target", "--ledger http://localhost:7576 --out x.har", itself],
  ["itself, on all addresses", "--ledger http://localhost:7576 --host 0.0.0.0 --out x.har", itself],
  [
    "an address of another machine, and not itself as target",
    "--ledger http://127.0.0.1:7576 --host 192.0.2.1 --out x.har",
    "The proxy cannot listen on 192.0.2.1, port 7576",
  ],
  [
    "an invalid body limit",
    `${toLedger} --limit bodyBytesMax=1e9`,
    "--limit bodyBytesMax=1e9: not a whole number. Use bodyBytesMax=N, 0 to 20971520 bytes.",
  ],
  ["a secret that is not set", `${toLedger} --secret NO`, "the environment variable NO"],
  ["a file in a missing folder", "--ledger http://a --out no/x.har", "there is no folder"],
  ["positional arguments", "x.har", "record takes no other words than flags"],
  ["a missing recording to recover", "--recover x.har", "File not found: x.har. Check the path"],
  ["an address of another machine", `${toLedger} --host 192.0.2.1`, "cannot listen on 192.0.2.1"],
])("refuses %s, and creates no file", async (_name, words, message) => {
  const folder = temporaryFolder();
  await expectRefusal(`record ${words}`, message, { folder });
  expect([existsSync(join(folder, "x.har")), existsSync(join(folder, "x.har.lock"))]).toEqual([false, false]);
});
