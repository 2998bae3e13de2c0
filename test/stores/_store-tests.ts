import { expect, test, vi } from "vitest";
import { packagedFile } from "../../src/entrypoints/library/files.ts";
import { openStore } from "../../src/entrypoints/stores/open-store.ts";
import { scenarioOf } from "../_scenario.ts";
import { alteredStore } from "./_altered-store.ts";
import { openReplica } from "./_replicas.ts";
import { takeOver } from "./_take-over.ts";

const createUser = (id: string) => ["POST", "/v2/users", { user: { id } }] as const;
const forkOf = async (replica: Awaited<ReturnType<typeof openReplica>>, body: object = {}, world = "default") => {
  const { status, text } = await replica.ask("POST", `/__understudy/worlds/${world}/fork`, body);
  expect(status).toBe(201);
  return String(JSON.parse(text).id);
};

/** A lease expires in real time. */
const patience = { timeout: 20_000 };

/** What every store does. `newUrl` gives the URL of an empty one. */
export function testStore(newUrl: () => Promise<string> | string): void {
  test("a world goes on in another process, with all that was acknowledged", async () => {
    const url = await newUrl();
    const first = await openReplica({ name: "a", url });
    expect((await first.ask(...createUser("zoe"))).status).toBe(200);
    expect((await first.ask("PATCH", "/v2/users/zoe", patch("zoe", "x"))).status).toBe(200);
    expect((await first.ask("POST", "/__understudy/worlds/default/clock/advance", { by: "PT1H" })).status).toBe(200);
    expect((await first.ask("POST", "/__understudy/worlds/default/plan", { plan })).status).toBe(200);
    const state = first.state();
    await first.close();
    const second = await openReplica({ name: "b", url });
    expect(second.state()).toBe(state);
    expect((await second.ask("GET", "/v2/users/zoe")).text).toContain('"team":"x"');
    await second.close();
  });

  test("a process that was killed loses nothing that was acknowledged", async () => {
    const url = await newUrl();
    const killed = await openReplica({ name: "a", url, leaseMs: 500 });
    await vi.waitFor(async () => {
      await killed.keeper.renew();
      expect((await killed.ask(...createUser("zoe"))).status).toBe(200);
    }, patience);
    const other = await openReplica({ name: "b", url });
    await vi.waitFor(async () => expect((await other.ask("GET", "/v2/users/zoe")).status).toBe(200), patience);
    await other.close();
  });

  test("a world has one owner: another process refuses requests before it executes them, until the world is given back", async () => {
    const url = await newUrl();
    const owner = await openReplica({ name: "a", url });
    const other = await openReplica({ name: "b", url });
    const refused = await other.ask(...createUser("zoe"));
    expect(refused).toMatchObject({ status: 503, retryAfter: "1" });
    expect((await owner.ask("GET", "/v2/users/zoe")).status).toBe(404);
    // The owner learns that another process was asked, and gives the world back when nothing uses it.
    await owner.keeper.renew();
    expect((await other.ask(...createUser("zoe"))).status).toBe(503);
    await owner.keeper.renew();
    await owner.keeper.renew();
    expect((await other.ask(...createUser("zoe"))).status).toBe(200);
    expect((await owner.ask("GET", "/v2/users")).status).toBe(503);
    await owner.close();
    await other.close();
  });

  test("a write of an earlier owner is refused, and nothing of it is served any more", async () => {
    const url = await newUrl();
    const paused = await openReplica({ name: "a", url });
    expect((await paused.ask(...createUser("before"))).status).toBe(200);
    await takeOver(url);
    expect(await paused.ask(...createUser("late"))).toMatchObject({ status: 503, retryAfter: "1" });
    expect(paused.state()).toBe("");
    const next = await openReplica({ name: "c", url });
    await vi.waitFor(async () => expect((await next.ask("GET", "/v2/users/before")).status).toBe(200), patience);
    expect((await next.ask("GET", "/v2/users/late")).status).toBe(404);
    await next.close();
    await paused.close();
  });

  test("a fork keeps the state of its origin at the time of the fork, also after both changed and the origin was removed", async () => {
    const url = await newUrl();
    const replica = await openReplica({ name: "a", url });
    await replica.ask(...createUser("zoe"));
    const fork = await forkOf(replica);
    const inner = await forkOf(replica, {}, fork);
    const fresh = await forkOf(replica, { from: "start" }, fork);
    await replica.ask(...createUser("later"));
    await replica.ask("POST", `/w/${fork}/v2/users`, { user: { id: "own" } });
    expect((await replica.ask("DELETE", `/__understudy/worlds/${fork}`)).status).toBe(200);
    await replica.close();
    const next = await openReplica({ name: "b", url });
    const found = async (world: string, user: string) => (await next.ask("GET", `/w/${world}/v2/users/${user}`)).status;
    expect([await found(inner, "zoe"), await found(inner, "later"), await found(inner, "own")]).toEqual([
      200, 404, 404,
    ]);
    expect(await found(fresh, "zoe")).toBe(200);
    expect((await next.ask("GET", `/w/${fork}/v2/users`)).status).toBe(404);
    await next.close();
  });

  test("a removed world is removed from the store before the response", async () => {
    const url = await newUrl();
    const [owner, other] = [await openReplica({ name: "a", url }), await openReplica({ name: "b", url })];
    const fork = await forkOf(owner);
    expect((await owner.ask("DELETE", `/__understudy/worlds/${fork}`)).status).toBe(200);
    expect((await other.ask("GET", `/w/${fork}/v2/users`)).status).toBe(404);
    await owner.close();
    await other.close();
  });

  test("a compacted world is the same, and its forks too", async () => {
    const url = await newUrl();
    const replica = await openReplica({ name: "a", url });
    await replica.ask(...createUser("zoe"));
    const fork = await forkOf(replica);
    // A compaction begins at a megabyte of changes.
    const annotations = Object.fromEntries(Array.from({ length: 40 }, (_, each) => [`k${each}`, "v".repeat(4000)]));
    for (const id of Array.from({ length: 8 }, (_, each) => `u${each}`))
      expect((await replica.ask("POST", "/v2/users", { user: { id, metadata: { annotations } } })).status).toBe(200);
    const state = replica.state();
    await replica.keeper.renew();
    await replica.ask(...createUser("after"));
    const after = replica.state();
    const [world] = (await replica.hosting.kept?.keeper.list()) ?? [];
    expect(world?.id).toBe("default");
    await replica.close();
    const next = await openReplica({ name: "b", url });
    expect(next.state()).toBe(after);
    expect(after.length).toBeGreaterThan(state.length);
    expect((await next.ask("GET", `/w/${fork}/v2/users/zoe`)).status).toBe(200);
    expect((await next.ask("GET", `/w/${fork}/v2/users/u1`)).status).toBe(404);
    await next.close();
  });

  test("a world is compacted although each of its owners has added few changes", async () => {
    const url = await newUrl();
    const first = await openReplica({ name: "first", url });
    await first.ask(...createUser("zoe"));
    await first.close();
    for (const owner of "abcdefgh") {
      const replica = await openReplica({ name: owner, url });
      const annotations = Object.fromEntries(Array.from({ length: 40 }, (_, key) => [`k${key}`, owner.repeat(4000)]));
      const body = { user: { id: "zoe", metadata: { annotations } }, updateMask: { paths: ["metadata.annotations"] } };
      expect((await replica.ask("PATCH", "/v2/users/zoe", body)).status).toBe(200);
      await replica.keeper.renew();
      await replica.close();
    }
    const last = await openReplica({ name: "last", url });
    const [world] = (await last.hosting.kept?.keeper.list()) ?? [];
    // All changes together are longer.
    expect(world?.size).toBeLessThan(1_000_000);
    expect((await last.ask("GET", "/v2/users/zoe")).text).toContain("hhhh");
    await last.close();
  });

  test("a reset survives, and starts the world again with the files of the process", async () => {
    const url = await newUrl();
    const first = await openReplica({ name: "a", url });
    const start = first.state();
    await first.ask(...createUser("zoe"));
    await first.ask("POST", "/__understudy/worlds/default/reset");
    expect(first.state()).toBe(start);
    await first.close();
    const other = await openReplica({ name: "b", url, scenario: scenarioOf("reassignment-by-calls") });
    expect(other.state()).toBe(start);
    await other.ask("POST", "/__understudy/worlds/default/reset");
    const restarted = other.state();
    expect(restarted).not.toBe(start);
    const fork = await forkOf(other, { from: "start" });
    await other.close();
    const last = await openReplica({ name: "c", url, scenario: scenarioOf("reassignment-by-calls") });
    expect(last.state()).toBe(restarted);
    expect((await last.ask("GET", `/__understudy/worlds/${fork}`)).status).toBe(200);
    expect(last.state(fork)).toBe(restarted);
    await last.close();
  });

  test("a world is exported from one store and imported into another, with its start and its clock", async () => {
    const [from, to] = [
      await openReplica({ name: "a", url: await newUrl() }),
      await openReplica({ name: "b", url: await newUrl() }),
    ];
    const start = from.state();
    await from.ask(...createUser("zoe"));
    await from.ask("POST", "/__understudy/worlds/default/clock/advance", { by: "PT1H" });
    const archive = (await from.ask("GET", "/__understudy/worlds/default/archive")).text;
    const imported = await to.send("POST", "/__understudy/worlds", archive);
    expect(imported.status).toBe(201);
    const id = String(JSON.parse(imported.text).id);
    expect((await to.ask("GET", `/w/${id}/v2/users/zoe`)).status).toBe(200);
    expect(to.state(id)).toBe(from.state());
    await to.ask("POST", `/__understudy/worlds/${id}/reset`);
    expect(to.state(id)).toBe(start);
    await from.close();
    await to.close();
  });

  test("a stored journal goes on in another process, without secrets, until a reset", async () => {
    const url = await newUrl();
    const first = await openReplica({ name: "a", url });
    await first.ask(...createUser("zoe"));
    await first.ask("GET", "/v2/users/unknown");
    await first.close();
    const second = await openReplica({ name: "b", url });
    await second.ask("GET", "/v2/users/zoe");
    const journal = second.hosting.worlds.get("default")?.journal;
    expect(journal?.exchanges.map(({ request, response }) => [request.target, response.status])).toEqual([
      ["/v2/users", 200],
      ["/v2/users/unknown", 404],
      ["/v2/users/zoe", 200],
    ]);
    expect(journal?.last).toBe(3);
    expect(JSON.stringify(journal?.exchanges.slice(0, 2))).not.toContain("Bearer any");
    await second.ask("POST", "/__understudy/worlds/default/reset");
    await second.close();
    const third = await openReplica({ name: "c", url });
    expect(third.hosting.worlds.get("default")?.journal.last).toBe(0);
    await third.close();
  });

  test("an exchange has the same number in another process, although the store lost an earlier one", async () => {
    const url = await newUrl();
    const first = await openReplica({ name: "a", url });
    for (const name of ["a", "b", "c"]) await first.ask("GET", `/v2/users/${name}`);
    await first.close();
    const migrations = packagedFile("migrations");
    const { exchanges } = await openStore({ url, isRelaxed: false, folder: "", migrations });
    const stored = await exchanges.newest("default", 9, 3_600_000);
    await exchanges.clear("default");
    await exchanges.add(stored.filter(({ number }) => number !== 2));
    const second = await openReplica({ name: "b", url });
    await second.ask("GET", "/v2/users/d");
    const journal = second.hosting.worlds.get("default")?.journal;
    const targets = journal?.after(0, 9).map(({ number, entry }) => [number, entry.request.target]);
    expect(targets).toEqual([
      [1, "/v2/users/a"],
      [3, "/v2/users/c"],
      [4, "/v2/users/d"],
    ]);
    await second.close();
  });

  test("a store removes exchanges that are too old, and the oldest of those that are too many", async () => {
    const { worlds, exchanges } = await openStore({
      url: await newUrl(),
      isRelaxed: false,
      folder: "",
      migrations: packagedFile("migrations"),
    });
    const now = Date.now();
    const hourMs = 3_600_000;
    const exchange = (world: string, number: number, atMs: number) => ({
      world,
      number,
      atMs,
      exchange: "x".repeat(10),
    });
    const left = async (world: string) =>
      (await exchanges.newest(world, 3000, 24 * hourMs)).map(({ number }) => number);
    await exchanges.add([exchange("a", 1, now - 2 * hourMs), exchange("a", 2, now), exchange("b", 1, now + 1)]);
    await exchanges.trim({ ageMs: hourMs, sizeMax: 20 });
    expect([await left("a"), await left("b"), await exchanges.size()]).toEqual([[2], [1], 20]);
    await exchanges.trim({ ageMs: hourMs, sizeMax: 19 });
    expect([await left("a"), await left("b"), await exchanges.size()]).toEqual([[], [1], 10]);
    // More than one statement removes, all with one time.
    const many = Array.from({ length: 2500 }, (_, each) => exchange("c", each + 1, now + 2));
    for (let from = 0; from < many.length; from += 500) await exchanges.add(many.slice(from, from + 500));
    await exchanges.trim({ ageMs: hourMs, sizeMax: 45 });
    expect([await left("b"), await left("c"), await exchanges.size()]).toEqual([[], [2497, 2498, 2499, 2500], 40]);
    await worlds.close();
  });

  test("a process is not ready while its store does not respond, and counts the requests that it refuses", async () => {
    const url = await newUrl();
    let isDown = false;
    const replica = await openReplica({
      name: "a",
      url,
      leaseMs: 500,
      through: (store) => {
        const unlessDown = <Result>(run: () => Promise<Result>) => (isDown ? Promise.reject(new Error("down")) : run());
        return alteredStore(store, {
          renew: (...given) => unlessDown(() => store.renew(...given)),
          has: (...given) => unlessDown(() => store.has(...given)),
        });
      },
    });
    const ready = () => replica.ask("GET", "/__understudy/ready");
    await vi.waitFor(async () => {
      await replica.keeper.renew();
      expect((await ready()).status).toBe(200);
    }, patience);
    isDown = true;
    await expect(replica.keeper.renew()).rejects.toThrow("down");
    await vi.waitFor(async () => expect(await ready()).toMatchObject({ status: 503 }), patience);
    await vi.waitFor(async () => expect((await ready()).text).toContain("lease on the worlds has lapsed"), patience);
    expect((await replica.ask(...createUser("zoe"))).status).toBe(503);
    expect([...(replica.hosting.kept?.refusals ?? [])]).toEqual([["unavailable", 1]]);
    isDown = false;
    await vi.waitFor(async () => {
      await replica.keeper.renew();
      expect((await ready()).text).toBe('{"ready":true,"reasons":[]}');
    }, patience);
    await replica.close();
  });

  test("a store lists its worlds, those of other processes too", async () => {
    const url = await newUrl();
    const replica = await openReplica({ name: "a", url });
    const fork = await forkOf(replica);
    const { stored } = JSON.parse((await replica.ask("GET", "/__understudy/worlds")).text);
    expect(stored).toMatchObject([
      { id: "default", owner: "a", origin: null },
      { id: fork, owner: null, origin: "default" },
    ]);
    await replica.close();
  });
}

const plan = [{ on: "getV2Users", nth: 2, instead: { status: 503 } }];

function patch(id: string, team: string): object {
  return { user: { id, metadata: { annotations: { team } } }, updateMask: { paths: ["metadata.annotations"] } };
}
