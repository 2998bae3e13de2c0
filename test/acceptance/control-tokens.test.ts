import { join } from "node:path";
import { expect, test } from "vitest";
import { hostScenario } from "../../src/entrypoints/library/host-scenario.ts";
import { Body } from "../../src/foundation/http/body.ts";
import type { HeaderList } from "../../src/foundation/http/header.ts";
import { loopbackAccess } from "../../src/stub/control/access.ts";
import { withControl } from "../../src/stub/control/control.ts";
import { MemoryControlTokens } from "../../src/stub/control/memory-control-tokens.ts";
import { cookieOf, namedTokens, tokenAccess } from "../../src/stub/control/token-check.ts";
import { Inspection } from "../../src/stub/inspection/inspection.ts";
import { scenarioOf } from "../_scenario.ts";
import { serving, temporaryFolder } from "./_command-line.ts";

const controlToken = "a-token-of-this-very-test";

/** A stub in the process with the inspector, which requires a control token unless `isOpen` is given. */
function sandbox({ isOpen = false } = {}) {
  const clock = { nowMs: Date.parse("2026-01-01T00:00:00Z") };
  const hosting = hostScenario(scenarioOf("quickstart"), { wallNowMs: () => clock.nowMs });
  let made = 0;
  const kept = new MemoryControlTokens(() => clock.nowMs);
  const named = namedTokens(kept, () => {
    made += 1;
    return `the-named-token-number-${made}`;
  });
  const token = isOpen ? undefined : tokenAccess(controlToken);
  const access = { ...loopbackAccess, token, named };
  const inner = withControl(hosting, access);
  const { handler } = new Inspection({ source: hosting, access, page: new Map(), later: () => undefined, inner });
  const sent = async (line: string, headers: HeaderList, body?: object) => {
    const [method = "", path = ""] = line.split(" ");
    const response = await handler({
      method,
      target: `/__understudy/${path}`,
      headers: [["Host", "localhost:7575"], ["Content-Type", "application/json"], ...headers],
      body: new Body(body === undefined ? "" : JSON.stringify(body)),
    });
    if (response.type !== "response") return { status: 200, text: "", json: {}, header: () => undefined };
    const text = response.body.text();
    const received = new Map(response.headers);
    return {
      status: response.status,
      text,
      json: text.startsWith("{") ? JSON.parse(text) : {},
      header: (name: string) => received.get(name),
    };
  };
  const send = (line: string, body?: object, given = controlToken) =>
    sent(line, [["Authorization", `Bearer ${given}`]], body);
  const newToken = async (name: string, scope: string, by = controlToken) =>
    String((await send("POST tokens", { name, scope }, by)).json.token);
  return { clock, hosting, sent, send, newToken };
}

const reads = ["GET worlds", "GET worlds/default", "GET worlds/default/journal", "GET limits", "GET events"];
const changes = ["POST worlds/default/fork", "POST worlds/default/reset", "POST worlds/default/plan"];

test("a token is created once, listed without itself, and revoked", async () => {
  const { clock, send } = sandbox();
  const created = await send("POST tokens", { name: "ci", scope: "read" });
  expect([created.status, created.header("Cache-Control")]).toEqual([201, "no-store"]);
  expect(created.json).toEqual({ name: "ci", scope: "read", token: "the-named-token-number-1" });
  const { token } = created.json;
  const listed = async () => (await send("GET tokens")).json.tokens;
  const unused = { name: "ci", scope: "read", createdAt: "2026-01-01T00:00:00.000Z", lastUsedAt: null };
  expect(await listed()).toEqual([unused]);
  clock.nowMs += 3_600_000;
  expect((await send("GET worlds", undefined, token)).status).toBe(200);
  clock.nowMs += 1000;
  expect((await send("GET worlds", undefined, token)).status).toBe(200);
  expect(await listed()).toEqual([{ ...unused, lastUsedAt: "2026-01-01T01:00:00.000Z" }]);
  clock.nowMs -= 1_800_000;
  expect((await send("GET worlds", undefined, token)).status).toBe(200);
  expect(await listed()).toEqual([{ ...unused, lastUsedAt: "2026-01-01T00:30:01.000Z" }]);
  expect((await send("DELETE tokens/ci")).json).toEqual({ revoked: "ci" });
  expect((await send("GET worlds", undefined, token)).status).toBe(401);
  expect((await send("DELETE tokens/ci")).status).toBe(404);
});

test("the scope read allows GET, and no other request; the refusal names the needed scope", async () => {
  const { send, newToken, hosting } = sandbox();
  const token = await newToken("viewer", "read");
  for (const line of reads) expect([line, (await send(line, undefined, token)).status]).toEqual([line, 200]);
  for (const line of [...changes, "DELETE worlds/fork-1", "GET worlds/default/access"]) {
    const refused = await send(line, {}, token);
    expect([line, refused.status]).toEqual([line, 403]);
    expect(refused.json.error).toBe(
      `The control token "viewer" has the scope read, and ${line.replace(" ", " /__understudy/")} needs drive. Send a token with the scope drive; POST /__understudy/tokens creates one.`,
    );
    expect(refused.header("WWW-Authenticate")).toContain('error="insufficient_scope", scope="drive"');
  }
  expect(hosting.worlds.size).toBe(1);
});

test("the scope drive changes worlds and removes its own forks; administer removes all forks and creates tokens", async () => {
  const { send, newToken } = sandbox();
  const [a, b] = [await newToken("a", "drive"), await newToken("b", "drive")];
  expect((await send("POST worlds/default/reset", {}, a)).status).toBe(200);
  const fork = (await send("POST worlds/default/fork", {}, a)).json.id;
  const ofServer = (await send("POST worlds/default/fork")).json.id;
  expect((await send(`DELETE worlds/${fork}`, undefined, b)).status).toBe(403);
  expect((await send(`DELETE worlds/${ofServer}`, undefined, b)).json.error).toBe(
    `The control token "b" did not fork the world "${ofServer}", and has the scope drive. Removing worlds of others needs administer.`,
  );
  expect((await send(`DELETE worlds/${fork}`, undefined, a)).status).toBe(200);
  expect((await send("DELETE worlds/default", undefined, a)).status).toBe(409);
  for (const line of ["GET tokens", "POST tokens", "DELETE tokens/b"])
    expect([line, (await send(line, {}, a)).status]).toEqual([line, 403]);
  const chief = await newToken("chief", "administer");
  expect((await send(`DELETE worlds/${ofServer}`, undefined, chief)).status).toBe(200);
  expect(await newToken("c", "read", chief)).toMatch(/^the-named-token/);
});

test("a new token with the name of a revoked one does not remove what that one forked", async () => {
  const { send, newToken } = sandbox();
  const fork = (await send("POST worlds/default/fork", {}, await newToken("ci", "drive"))).json.id;
  expect((await send("DELETE tokens/ci")).status).toBe(200);
  const again = await newToken("ci", "drive");
  expect((await send(`DELETE worlds/${fork}`, undefined, again)).status).toBe(403);
  const own = (await send("POST worlds/default/fork", {}, again)).json.id;
  expect((await send(`DELETE worlds/${own}`, undefined, again)).status).toBe(200);
});

test("a browser signs in with a named token, and its cookie has the scope of the token until it is revoked", async () => {
  const { send, sent, newToken } = sandbox();
  const token = await newToken("viewer", "read");
  const entered = await sent(`GET ?token=${token}`, []);
  expect([entered.status, entered.header("Location")]).toEqual([303, "/__understudy/"]);
  expect(entered.header("Set-Cookie")).toBe(
    `understudy-control-7575=${cookieOf(token)}; HttpOnly; SameSite=Strict; Path=/__understudy`,
  );
  expect((await sent(`GET ?token=${token}x`, [])).status).toBe(401);
  const cookie = ["Cookie", `understudy-control-7575=${cookieOf(token)}`] as const;
  const page = ["Origin", "http://localhost:7575"] as const;
  const withCookie = async (line: string, headers: HeaderList) => (await sent(line, [cookie, ...headers], {})).status;
  expect(await withCookie("GET worlds", [])).toBe(200);
  expect(await withCookie("POST worlds/default/fork", [page])).toBe(403);
  expect(await withCookie("POST worlds/default/fork", [])).toBe(401);
  expect(await withCookie("GET worlds", [["Origin", "http://localhost:3000"]])).toBe(403);
  expect((await send("GET worlds", undefined, cookieOf(token))).status).toBe(401);
  expect((await send("DELETE tokens/viewer")).status).toBe(200);
  expect(await withCookie("GET worlds", [])).toBe(401);
});

test("named tokens leave the rules of origins and hosts, and the 401 of every path, as they are", async () => {
  const { sent, newToken } = sandbox();
  const bearer = ["Authorization", `Bearer ${await newToken("ci", "administer")}`] as const;
  expect((await sent("POST worlds/default/fork", [bearer, ["Origin", "http://a.example"]])).status).toBe(403);
  expect((await sent("GET worlds", [bearer, ["Host", "a.example"]])).status).toBe(403);
  expect((await sent("GET worlds", [bearer, bearer])).status).toBe(401);
  const unknown: HeaderList = [["Authorization", "Bearer unknown"]];
  const [there, nowhere] = [await sent("GET tokens", unknown), await sent("POST nothing", unknown)];
  expect([there.status, there.text]).toEqual([nowhere.status, nowhere.text]);
  expect(there.status).toBe(401);
});

test.each([
  [{ scope: "read" }, 400, '"name" is missing'],
  [{ name: "a b", scope: "read" }, 400, '"name": "a b" is not valid'],
  [{ name: "a".repeat(64), scope: "read" }, 400, "Use 1 to 63"],
  [{ name: 5, scope: "read" }, 400, '"name": 5 is not valid'],
  [{ name: "a", scope: "write" }, 400, '"scope": "write" is not valid. Use "read", "drive" or "administer".'],
  [{ name: "a" }, 400, '"scope" is missing'],
  [{ name: "known", scope: "read" }, 409, 'There is a control token "known" already.'],
])("refuses the token %j with %i", async (body, status, problem) => {
  const { send, newToken } = sandbox();
  await newToken("known", "read");
  const refused = await send("POST tokens", body);
  expect([refused.status, refused.json.error]).toEqual([status, expect.stringContaining(problem)]);
  expect((await send("GET tokens")).json.tokens).toHaveLength(1);
});

test("there are at most 100 named tokens", async () => {
  const { send, newToken } = sandbox();
  for (let number = 0; number < 100; number += 1) await newToken(`t${number}`, "read");
  expect((await send("POST tokens", { name: "more", scope: "read" })).json.error).toContain("The limit of 100");
  expect((await send("DELETE tokens/t7")).status).toBe(200);
  expect((await send("POST tokens", { name: "more", scope: "read" })).status).toBe(201);
});

test("other methods of tokens get 405, and a stub without a control token has no named ones", async () => {
  const { send } = sandbox();
  for (const line of ["PUT tokens", "DELETE tokens", "GET tokens/ci", "POST tokens/ci"])
    expect([line, (await send(line)).status]).toEqual([line, 405]);
  const open = sandbox({ isOpen: true });
  const refused = await open.send("POST tokens", { name: "ci", scope: "read" });
  expect([refused.status, refused.json.error]).toEqual([409, expect.stringContaining("--control-token")]);
});

test("serve has named tokens, with and without a store", async () => {
  for (const flags of [[], ["--store", `sqlite:${join(temporaryFolder(), "store.db")}`]]) {
    const stub = await serving(flags, { variables: { UNDERSTUDY_CONTROL_TOKEN: controlToken } });
    const send = (path: string, token: string, body?: object) =>
      fetch(`${stub.url}/__understudy/${path}`, {
        method: body === undefined ? "GET" : "POST",
        headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    const created: unknown = await (await send("tokens", controlToken, { name: "ci", scope: "read" })).json();
    const token = String(Object(created).token);
    expect(token).toMatch(/^[\w-]{43}$/);
    expect([(await send("worlds", token)).status, (await send("worlds/default/fork", token, {})).status]).toEqual([
      200, 403,
    ]);
  }
});
