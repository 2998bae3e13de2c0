import { appendFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Exchange } from "../../src/foundation/http/exchange.ts";
import { eventsIn, folderOf, running, serving, understudy } from "./_command-line.ts";
import { exchangeOf, harOf, json, recordedFrom } from "./_replayed.ts";

const token = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJl";
const users = exchangeOf(json("GET", "/v2/users"), 200, { users: [], nextPageToken: "" });
const alice: Exchange = {
  ...exchangeOf(json("GET", "/v2/users/alice"), 200, { user: { id: "alice" } }),
  startedAt: "2026-01-01T00:00:01.000Z",
};

/** A new folder with a recording, and others by name. */
const recorded = (
  bytes: Uint8Array | string = harOf([users, alice]),
  more: Readonly<Record<string, Uint8Array>> = {},
) => folderOf({ "x.har": bytes, ...more });

const replaying = (words: string, folder: string) => running(`replay --port 0 ${words}`, { folder });
const bearer = { headers: { Authorization: `Bearer ${token}` } };

test("serves a recording until Ctrl-C, and the summary counts requests and recorded exchanges without one", async () => {
  const folder = recorded();
  const { url, end, ready } = await replaying("x.har --ready-file ready", folder);
  expect(readFileSync(join(folder, "ready"), "utf8")).toBe(`${url}\n`);
  expect(ready).toBe(`Understudy replays x.har (2 exchanges) at ${url}. Stop with Ctrl-C.\n`);
  const first = await fetch(`${url}/v2/users`, bearer);
  expect([first.status, first.headers.get("content-type"), await first.json()]).toEqual([
    200,
    "application/json",
    { users: [], nextPageToken: "" },
  ]);
  await fetch(`${url}/v2/users`);
  const ended = await end();
  expect(ended).toMatchObject({ exitCode: 0, error: "" });
  expect(ended.out.split("\n").slice(1)).toEqual([
    "200  GET /v2/users  exchange 1",
    "200  GET /v2/users  exchange 1, repeated",
    "Requests: 1 matched, 1 repeated, 0 unmatched.",
    "Recorded exchanges never requested: 1",
    "  2  GET /v2/users/alice",
    "",
  ]);
});

test("a request without a match gets 501, and the exit code is 1", async () => {
  const folder = recorded();
  const { url, end } = await replaying("x.har --json", folder);
  const response = await fetch(`${url}/v2/users?pageSize=5`);
  expect([response.status, response.headers.get("content-type")]).toEqual([501, "text/plain; charset=UTF-8"]);
  expect(response.headers.get("understudy-reason")).toBe(
    'no recorded request matches; nearest is exchange 1, GET /v2/users, query /pageSize: recorded nothing, requested "5"',
  );
  expect(
    await response.text(),
  ).toBe(`Understudy: x.har has no response to GET /v2/users?pageSize=5: no recorded request matches.
Nearest:
  1  GET /v2/users
    query /pageSize: recorded nothing, requested "5"
Record this request too, or serve it from a stub: --continue-with stub
`);
  const ended = await end();
  expect(ended.exitCode).toBe(1);
  const events = eventsIn(ended.out);
  expect(events).toMatchObject([
    { event: "ready", url, recording: "x.har", exchanges: 2 },
    {
      event: "replayed",
      outcome: "unmatched",
      target: "/v2/users?pageSize=5",
      nearest: [
        { number: 1, wasRequested: false, differences: [{ in: "query", pointer: "/pageSize", requested: "5" }] },
      ],
    },
    { event: "summary", matched: 0, repeated: 0, continued: 0, unmatched: 1, neverRequested: 2 },
  ]);
});

test("HEAD of a recorded GET has its headers and no body", async () => {
  const { url, end } = await replaying("x.har", recorded());
  const response = await fetch(`${url}/v2/users`, { method: "HEAD" });
  const length = String(JSON.stringify({ users: [], nextPageToken: "" }).length);
  expect([response.status, response.headers.get("content-length"), await response.text()]).toEqual([200, length, ""]);
  expect((await end()).out).toContain("Requests: 0 matched, 1 repeated, 0 unmatched.");
});

test("a scenario responds to requests that the recording does not have", async () => {
  const folder = recorded();
  const scenario = join(import.meta.dirname, "../../scenarios/quickstart.arazzo.yaml");
  const { url, end } = await replaying(`x.har --continue-with ${scenario}`, folder);
  const response = await fetch(`${url}/v2/idps`, { headers: { Authorization: "Bearer any" } });
  expect(response.status).toBe(200);
  const ended = await end();
  expect(ended.exitCode).toBe(0);
  expect(ended.out).toContain("200  GET /v2/idps  the scenario\n");
});

test("a stub of the recorded world continues from the state after the replayed requests", async () => {
  const metadata = { resourceVersion: "", annotations: {} };
  const made = {
    user: { id: "carol", primaryParty: "", isDeactivated: false, metadata, identityProviderId: "" },
  };
  const folder = recorded(harOf([users, exchangeOf(json("POST", "/v2/users", { ...made, rights: [] }), 200, made)]));
  const { url, end } = await replaying("x.har --continue-with stub", folder);
  const headers = { Authorization: "Bearer any", "Content-Type": "application/json" };
  const requested = () => fetch(`${url}/v2/users/dora`, { headers }).then(({ status }) => status);
  const before = await requested();
  const body = JSON.stringify({ ...made, rights: [] }).replaceAll("carol", "dora");
  expect((await fetch(`${url}/v2/users`, { method: "POST", headers, body })).status).toBe(200);
  expect([before, await requested()]).toEqual([404, 200]);
  expect((await end()).exitCode).toBe(0);
});

test("a recorded connection reset reaches the client as a reset", async () => {
  const reset = { ...users, response: { type: "broken", kind: "reset" } } as const;
  const folder = recorded(harOf([reset]));
  const { url, end } = await replaying("x.har", folder);
  await expect(fetch(`${url}/v2/users`)).rejects.toThrow();
  expect((await end()).out).toContain("---  GET /v2/users  exchange 1\n");
});

test.each([
  ["changes", "has changed since replay read it"],
  ["vanishes", "is missing; replay needs it until it ends"],
])("a recording that %s during the replay ends it", async (change, problem) => {
  const folder = recorded();
  const file = join(folder, "x.har");
  const { url, ended } = await replaying("x.har", folder);
  if (change === "changes") appendFileSync(file, "\n");
  else rmSync(file);
  const response = await fetch(`${url}/v2/users`);
  expect(response.status).toBe(500);
  expect(response.headers.get("understudy-reason")).toContain(problem);
  expect(await ended()).toMatchObject({ exitCode: 2, error: expect.stringContaining(problem) });
});

test("serves the complete entries of a truncated recording", async () => {
  const text = new TextDecoder().decode(harOf([users, alice]));
  const folder = recorded(text.slice(0, text.lastIndexOf('"response"')));
  const { url, end } = await replaying("x.har", folder);
  expect((await fetch(`${url}/v2/users`)).status).toBe(200);
  const ended = await end();
  expect(ended.error).toContain("x.har: it is truncated after 1 entry");
  expect(ended.out).toContain("(1 exchange)");
});

const toClosed = "x.har --against http://127.0.0.1:1";

test.each([
  ["replay", "replay needs a recording"],
  ["replay x.har y.har", "replay takes one recording. Replay the others one by one."],
  ["replay none.har", "File not found: none.har."],
  ["replay -", "not standard input"],
  ["replay .", "is not a regular file"],
  ["replay text", "text is not a recording: it is not JSON"],
  ["replay empty.har", "empty.har has no exchange"],
  ["replay x.har --match stric", "--match stric: unknown value. Did you mean"],
  ["replay x.har --timing slow", "--timing slow: unknown value"],
  ["replay x.har --and http://127.0.0.1:1", "--and has no effect without --against."],
  [`replay ${toClosed} --match strict`, "--match has no effect with --against. Remove one of the two."],
  ["replay x.har --against 127.0.0.1", "--against 127.0.0.1 is not an http or https URL"],
  [`replay ${toClosed} --token-of alice=A`, "--token-of alice=A: not of the form token-N=VARIABLE"],
  [`replay ${toClosed} --token-of token-2=A`, "the environment variable A is not set"],
  [`replay ${toClosed} --name alice=bob`, "--name alice=bob: not of the form RECORDED=OWN"],
])("reports a wrong argument or file: %s", async (words, problem) => {
  const folder = recorded();
  writeFileSync(join(folder, "text"), "hello");
  writeFileSync(join(folder, "empty.har"), '{"log":{"entries":[]}}');
  const ran = await understudy(words, { folder });
  expect(ran).toMatchObject({ exitCode: 2, error: expect.stringContaining(problem) });
});

test("sends a recording to a node, and reports each difference with a curl line that repeats the request", async () => {
  const folder = recorded(undefined, { "other.har": harOf([users]) });
  const served = await replaying("other.har", folder);
  const variables = { UNDERSTUDY_TOKEN: token };
  const ran = await understudy(`replay x.har --against ${served.url}`, { folder, variables });
  expect(ran).toMatchObject({ exitCode: 1, error: "" });
  expect(ran.out).toBe(`DIFFERENT     2  GET /v2/users/alice (getV2UsersUser-id)
    at        status
      recorded 200
      actual   501
    repeat    curl -sS -H 'Content-Type: application/json' -H "Authorization: Bearer $TOKEN" '${served.url}/v2/users/alice'
2 exchanges: 1 the same, 1 different
`);
  const { out: events } = await understudy(`replay x.har --against ${served.url} --token ${token} --json`, { folder });
  expect(events).not.toContain(token);
  expect(eventsIn(events)).toMatchObject([
    { event: "sent", exchange: 1, outcome: "same", operation: "getV2Users" },
    { exchange: 2, outcome: "different", differences: [{ aspect: "status", pointer: "", recorded: 200, actual: 501 }] },
    { event: "summary", same: 1, different: 1, dependent: 0, "not-sent": 0, overlapped: 0 },
  ]);
  await served.end();
});

test("compares two nodes", async () => {
  const other = exchangeOf(users.request, 200, { users: [{ id: "new" }], nextPageToken: "" });
  const folder = recorded(harOf([users]), { "a.har": harOf([users]), "b.har": harOf([other]) });
  const [first, second] = [await replaying("a.har", folder), await replaying("b.har", folder)];
  const nodes = `--against ${first.url} --and ${second.url}`;
  const ran = await understudy(`replay x.har ${nodes} --token any --json`, { folder });
  expect(ran.exitCode).toBe(1);
  expect(JSON.parse(ran.out.split("\n")[0] ?? "")).toMatchObject({
    differences: [{ aspect: "length", pointer: "/users", first: [], second: [{ id: "new" }] }],
  });
  await Promise.all([first.end(), second.end()]);
});

test("a request that needs a token is not sent without one", async () => {
  const folder = recorded();
  const served = await replaying("x.har", folder);
  const ran = await understudy(["replay", "x.har", "--against", served.url], { folder });
  expect(ran).toMatchObject({ exitCode: 2, error: expect.stringContaining("Nothing was compared") });
  expect(ran.out).toContain("not sent      1  GET /v2/users: no token is given for token-1\n");
  await served.end();
});

test("the exit code is 3 if the target is not reachable", async () => {
  const folder = recorded();
  const served = await replaying("x.har", folder);
  await served.end();
  const ran = await understudy(["replay", "x.har", "--against", served.url, "--token", "any"], { folder });
  expect(ran).toMatchObject({ exitCode: 3, error: expect.stringContaining("cannot be reached") });
});

test("traffic of a scenario shows no difference at a stub that serves it, and does not change the default world", async () => {
  const folder = recorded(harOf(await recordedFrom("reassignment-by-steps")));
  const scenario = join(import.meta.dirname, "../../scenarios/reassignment-by-steps.arazzo.yaml");
  const { url } = await serving([scenario, "--profile", "canton-3.5"]);
  for (let nth = 0; nth < 2; nth += 1) {
    const ran = await understudy(["replay", "x.har", "--against", url, "--token", "any", "--writes"], { folder });
    expect(ran).toEqual({
      exitCode: 0,
      error: "",
      out: expect.stringMatching(/^\d exchanges: \d the same, 0 different/),
    });
  }
  const worlds: { worlds: { requests: number }[] } = JSON.parse(
    await (await fetch(`${url}/__understudy/worlds`)).text(),
  );
  expect(worlds.worlds).toMatchObject([{ id: "default", requests: 0 }]);
});
