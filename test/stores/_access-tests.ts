import { expect, test, vi } from "vitest";
import { packagedFile } from "../../src/entrypoints/library/files.ts";
import { hostScenario } from "../../src/entrypoints/library/host-scenario.ts";
import { openStore } from "../../src/entrypoints/stores/open-store.ts";
import { Body } from "../../src/foundation/http/body.ts";
import { loopbackAccess } from "../../src/stub/control/access.ts";
import { withControl } from "../../src/stub/control/control.ts";
import { namedTokens, tokenAccess } from "../../src/stub/control/token-check.ts";
import { type LabelQuota, LabelQuotas } from "../../src/stub/hosting/label-quotas.ts";
import { WorldKeeper } from "../../src/stub/stores/world-keeper.ts";
import { scenarioOf } from "../_scenario.ts";

const controlToken = "a-token-of-this-very-test";

interface SandboxOptions {
  readonly name: string;
  readonly url: string;
  readonly quotas?: Readonly<Record<string, LabelQuota>>;
  readonly wallNowMs?: () => number;
}

/** A replica that requires a control token. Its lease is renewed by `renew` alone. */
async function openSandbox({ name, url, quotas = {}, wallNowMs = Date.now }: SandboxOptions) {
  const store = await openStore({ url, isRelaxed: false, folder: "", migrations: packagedFile("migrations") });
  const keeper = new WorldKeeper({
    store: store.worlds,
    replica: name,
    leaseMs: 600_000,
    isRelaxed: false,
    worldsMax: 100,
    stateBytesMax: 1_000_000,
    nowMs: performance.now.bind(performance),
    wallNowMs,
    later: setImmediate,
    wait: () => new Promise(() => undefined),
    onFault: (fault) => expect.fail(String(fault)),
  });
  let [forks, tokens] = [0, 0];
  const hosting = hostScenario(scenarioOf("quickstart"), {
    keeper,
    wallNowMs,
    quotas: new LabelQuotas(new Map(Object.entries(quotas)), () => 0),
    newForkId: () => {
      forks += 1;
      return `${name}${forks}`;
    },
  });
  await hosting.kept?.open();
  const named = namedTokens(store.tokens, () => {
    tokens += 1;
    return `${name}-named-token-${tokens}`;
  });
  const handler = withControl(hosting, { ...loopbackAccess, token: tokenAccess(controlToken), named });
  return {
    keeper,
    close: () => keeper.close(),
    send: async (line: string, body?: object, token = controlToken) => {
      const [method = "", path = ""] = line.split(" ");
      const response = await handler({
        method,
        target: path.startsWith("/") ? path : `/__understudy/${path}`,
        headers: [
          ["Host", "127.0.0.1"],
          ["Authorization", `Bearer ${token}`],
          ["Content-Type", "application/json"],
        ],
        body: new Body(body === undefined ? "" : JSON.stringify(body)),
      });
      if (response.type !== "response") throw new Error(`the response is broken: ${response.kind}`);
      const text = response.body.text();
      return { status: response.status, text, json: text.startsWith("{") ? JSON.parse(text) : undefined };
    },
  };
}

type Sandbox = Awaited<ReturnType<typeof openSandbox>>;

async function forkOf(sandbox: Sandbox, body: object = {}, token = controlToken): Promise<string> {
  const { status, json } = await sandbox.send("POST worlds/default/fork", body, token);
  expect(status).toBe(201);
  return String(json.id);
}

/** What every store does for many users of one sandbox. `newUrl` gives the URL of an empty one. */
export function testAccess(newUrl: () => Promise<string> | string): void {
  test("all replicas know a named token, and its revocation, at once", async () => {
    const url = await newUrl();
    const [a, b] = [await openSandbox({ name: "a", url }), await openSandbox({ name: "b", url })];
    const { token } = (await a.send("POST tokens", { name: "ci", scope: "read" })).json;
    expect((await b.send("GET worlds", undefined, token)).status).toBe(200);
    expect((await b.send("POST worlds/default/fork", {}, token)).status).toBe(403);
    expect((await b.send("POST tokens", { name: "ci", scope: "drive" })).status).toBe(409);
    expect((await a.send("GET tokens")).json.tokens).toMatchObject([
      { name: "ci", scope: "read", lastUsedAt: expect.stringMatching(/Z$/) },
    ]);
    expect((await b.send("DELETE tokens/ci")).status).toBe(200);
    expect((await a.send("GET worlds", undefined, token)).status).toBe(401);
    expect((await b.send("DELETE tokens/ci")).status).toBe(404);
    await a.close();
    await b.close();
  });

  test("a token, its labels and its world survive a restart; the store has no token in clear", async () => {
    const url = await newUrl();
    const first = await openSandbox({ name: "a", url });
    const { token } = (await first.send("POST tokens", { name: "ci", scope: "drive" })).json;
    const other = (await first.send("POST tokens", { name: "other", scope: "drive" })).json.token;
    const world = await forkOf(first, { labels: ["team-a"], ttl: "PT8H" }, token);
    await first.close();
    const { tokens, worlds } = await openStore({
      url,
      isRelaxed: false,
      folder: "",
      migrations: packagedFile("migrations"),
    });
    expect(JSON.stringify(await tokens.list())).not.toContain(token);
    await worlds.close();
    const next = await openSandbox({ name: "b", url });
    expect((await next.send(`GET worlds/${world}`, undefined, token)).json).toMatchObject({ labels: ["team-a"] });
    expect((await next.send(`DELETE worlds/${world}`, undefined, other)).text).toContain("needs administer");
    expect((await next.send(`DELETE worlds/${world}`, undefined, token)).status).toBe(200);
    await next.close();
  });

  test("a fork has the labels of its origin unless others are given, also after a restart", async () => {
    const url = await newUrl();
    const a = await openSandbox({ name: "a", url });
    const labelled = await forkOf(a, { labels: ["team-a", "x"] });
    const inherited = (await a.send(`POST worlds/${labelled}/fork`)).json.id;
    const own = (await a.send(`POST worlds/${labelled}/fork`, { labels: [] })).json.id;
    await a.close();
    const b = await openSandbox({ name: "b", url });
    const labels = async (id: string) => (await b.send(`GET worlds/${id}`)).json.labels;
    expect([await labels(inherited), await labels(own)]).toEqual([["team-a", "x"], []]);
    const stored: readonly { readonly id: string; readonly labels: readonly string[] }[] = (await b.send("GET worlds"))
      .json.stored;
    expect(stored.find(({ id }) => id === inherited)?.labels).toEqual(["team-a", "x"]);
    await b.close();
  });

  test("a world whose time has come is removed", async () => {
    const url = await newUrl();
    let aheadMs = 0;
    const a = await openSandbox({ name: "a", url, wallNowMs: () => Date.now() + aheadMs });
    const world = await forkOf(a, { ttl: "PT0.2S" });
    await vi.waitFor(async () => expect((await a.send(`GET /w/${world}/v2/users`)).status).toBe(404), {
      timeout: 20_000,
    });
    await a.keeper.renew();
    expect(JSON.stringify((await a.send("GET worlds")).json)).not.toContain(world);
    // A process whose clock is ahead does not serve a world that the store still has.
    const later = await forkOf(a, { ttl: "PT1H" });
    expect((await a.send(`GET /w/${later}/v2/users`)).status).toBe(200);
    aheadMs = 2 * 60 * 60 * 1000;
    expect((await a.send(`GET /w/${later}/v2/users`)).status).toBe(404);
    await a.close();
  });

  test("the worlds of all replicas count against a quota, and forks at the same time too", async () => {
    const url = await newUrl();
    const quotas = { "team-a": { worlds: 5 } };
    const [a, b] = [await openSandbox({ name: "a", url, quotas }), await openSandbox({ name: "b", url })];
    // The default world belongs to the first replica.
    const first = await forkOf(a, { labels: ["team-a"] });
    const second = await b.send(`POST worlds/${first}/fork`);
    expect(second.status).toBe(201);
    // Other labels that contain the name of this one do not count.
    await forkOf(a, { labels: ["team-a1", "Team-A", "xteam-a", "team_a"] });
    const forks = await Promise.all(
      Array.from({ length: 6 }, () => a.send("POST worlds/default/fork", { labels: ["team-a"] })),
    );
    expect(forks.map(({ status }) => status).sort()).toEqual([201, 201, 201, 409, 409, 409]);
    expect(forks.find(({ status }) => status === 409)?.text).toContain("(--quota team-a:worlds)");
    expect((await b.send(`DELETE worlds/${second.json.id}`)).status).toBe(200);
    await forkOf(a, { labels: ["team-a"] });
    expect((await a.send("GET limits")).json.quotas).toEqual([
      { label: "team-a", name: "worlds", value: 5, exceeded: 3 },
    ]);
    await a.close();
    await b.close();
  });

  test("a world beyond its bytes in the store refuses writes, also in another process, and serves reads", async () => {
    const url = await newUrl();
    const quotas = { "team-a": { bytes: 1000 } };
    const a = await openSandbox({ name: "a", url, quotas });
    const world = await forkOf(a, { labels: ["team-a"] });
    const user = (id: string) => ({ user: { id, metadata: { annotations: { text: "x".repeat(700) } } } });
    const created = (sandbox: Sandbox, id: string) => sandbox.send(`POST /w/${world}/v2/users`, user(id));
    expect([(await created(a, "u1")).status, (await created(a, "u2")).status]).toEqual([200, 200]);
    const refused = await created(a, "u3");
    expect(refused).toMatchObject({ status: 429, text: expect.stringContaining("(--quota team-a:bytes)") });
    await a.close();
    const b = await openSandbox({ name: "b", url, quotas });
    expect((await created(b, "u3")).status).toBe(429);
    expect((await b.send(`GET /w/${world}/v2/users/u3`)).status).toBe(404);
    expect((await b.send(`GET /w/${world}/v2/users/u2`)).status).toBe(200);
    await b.close();
  });
}
