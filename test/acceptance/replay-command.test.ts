import { appendFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Exchange } from "../../src/foundation/http/exchange.ts";
import { eventsIn, folderOf, running, understudy } from "./_command-line.ts";
import { exchangeOf, harOf, json } from "./_replayed.ts";

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
])("reports a wrong argument or file: %s", async (words, problem) => {
  const folder = recorded();
  writeFileSync(join(folder, "text"), "hello");
  writeFileSync(join(folder, "empty.har"), '{"log":{"entries":[]}}');
  const ran = await understudy(words, { folder });
  expect(ran).toMatchObject({ exitCode: 2, error: expect.stringContaining(problem) });
});
