import { expect, test } from "vitest";
import { UnreadableWorld } from "../../src/stub/stores/stored-states.ts";
import { archiveOf } from "../../src/stub/stores/world-archive.ts";
import { scenarioOf } from "../_scenario.ts";
import { alteredStore, Gate } from "./_altered-store.ts";
import { openReplica, type Replica, sqliteUrl } from "./_replicas.ts";

const createUser = (id: string) => ["POST", "/v2/users", { user: { id } }] as const;

async function forkOf(replica: Replica, body: object = {}, world = "default"): Promise<string> {
  const { text } = await replica.ask("POST", `/__understudy/worlds/${world}/fork`, body);
  return String(JSON.parse(text).id);
}

test("a request whose world is given back while its token is verified is not executed", async () => {
  const url = sqliteUrl();
  const verifying = Promise.withResolvers<void>();
  const replica = await openReplica({
    name: "a",
    url,
    verifyToken: async () => {
      await verifying.promise;
      return { type: "administrator" };
    },
  });
  const asked = replica.ask(...createUser("zoe"));
  await replica.keeper.release(["default"]);
  await replica.hosting.kept?.take("default");
  verifying.resolve();
  expect(await asked).toMatchObject({ status: 503, retryAfter: "1" });
  expect(replica.state()).not.toContain("zoe");
  await replica.close();
});

test("a world that a lapse of the lease has left without a process is given to the one that wants it", async () => {
  const url = sqliteUrl();
  let nowMs = 0;
  const lapsed = await openReplica({ name: "a", url, nowMs: () => nowMs });
  nowMs += 700_000;
  await lapsed.keeper.renew();
  const other = await openReplica({ name: "b", url });
  expect((await other.ask(...createUser("zoe"))).status).toBe(503);
  await lapsed.keeper.renew();
  expect((await other.ask(...createUser("zoe"))).status).toBe(200);
  await lapsed.close();
  await other.close();
});

test("a store takes more forks than the limit of worlds in memory", async () => {
  const replica = await openReplica({ name: "a", url: sqliteUrl(), worldsMax: 1 });
  const ids = [await forkOf(replica), await forkOf(replica), await forkOf(replica)];
  for (const id of ids) expect((await replica.ask("GET", `/w/${id}/v2/users`)).status).toBe(200);
  await replica.close();
});

test("a store takes more archives than the limit of states in memory: worlds that were not used for longest are given back", async () => {
  const exporting = await openReplica({ name: "a", url: sqliteUrl() });
  const archive = (await exporting.ask("GET", "/__understudy/worlds/default/archive")).text;
  await exporting.close();
  const stateBytesMax = 2.9 * archive.length;
  const replica = await openReplica({ name: "b", url: sqliteUrl(), stateBytesMax });
  const imported = async () => JSON.parse((await replica.send("POST", "/__understudy/worlds", archive)).text).id;
  const ids = [await imported(), await imported(), await imported(), await imported()];
  const inUse = () => replica.hosting.limits.report().limits.find(({ name }) => name === "stateBytesMax")?.inUse;
  for (const id of ids) {
    expect((await replica.ask("POST", `/w/${id}/v2/users`, { user: { id: `user-${id}` } })).status).toBe(200);
    const fork = await forkOf(replica, {}, id);
    expect((await replica.ask("GET", `/w/${fork}/v2/users/user-${id}`)).status).toBe(200);
    expect(inUse()).toBeGreaterThan(archive.length);
    expect(inUse()).toBeLessThanOrEqual(stateBytesMax);
  }
  for (const id of ids) expect((await replica.ask("GET", `/w/${id}/v2/users/user-${id}`)).status).toBe(200);
  await replica.close();
});

test("an archive that is larger than the limit of states in memory is refused with a store too", async () => {
  const replica = await openReplica({ name: "a", url: sqliteUrl(), stateBytesMax: 10_000 });
  const archive = (await replica.ask("GET", "/__understudy/worlds/default/archive")).text;
  expect((await replica.send("POST", "/__understudy/worlds", archive)).status).toBe(409);
  // The refused archive needs no room, so the worlds stay in memory.
  expect([...replica.hosting.worlds.keys()]).toEqual(["default"]);
  await replica.close();
});

test("a fork of an earlier exchange starts from there, also after it was stored", async () => {
  const url = sqliteUrl();
  const replica = await openReplica({ name: "a", url });
  await replica.ask(...createUser("first"));
  await replica.ask(...createUser("second"));
  const fork = await forkOf(replica, { at: 1 });
  await replica.close();
  const next = await openReplica({ name: "b", url });
  await next.ask("POST", `/w/${fork}/v2/users`, { user: { id: "own" } });
  await next.ask("POST", `/__understudy/worlds/${fork}/reset`);
  const statusOf = async (id: string) => (await next.ask("GET", `/w/${fork}/v2/users/${id}`)).status;
  expect([await statusOf("first"), await statusOf("second"), await statusOf("own")]).toEqual([200, 404, 404]);
  await next.close();
});

test("each participant of an imported world is found by its own id", async () => {
  const scenario = scenarioOf("two-participants");
  const [name = ""] = scenario.initial.participants.keys();
  const from = await openReplica({ name: "a", url: sqliteUrl(), scenario });
  const archive = (await from.ask("GET", "/__understudy/worlds/default/archive")).text;
  const to = await openReplica({ name: "b", url: sqliteUrl() });
  const { id } = JSON.parse((await to.send("POST", "/__understudy/worlds", archive)).text);
  expect((await to.ask("GET", `/w/${id}-${name}/v2/users`)).status).toBe(200);
  expect((await to.ask("GET", `/w/${id}-unknown/v2/users`)).status).toBe(404);
  await from.close();
  await to.close();
});

test("a new world whose write is not known to be stored is not acknowledged", async () => {
  let isDown = false;
  const through = (store: Parameters<typeof alteredStore>[0]) =>
    alteredStore(store, {
      write: (batch, replica) =>
        isDown ? Promise.reject(new Error("the connection is lost")) : store.write(batch, replica),
    });
  const replica = await openReplica({ name: "a", url: sqliteUrl(), leaseMs: 300_000, nowMs: risingClock(), through });
  const archive = (await replica.ask("GET", "/__understudy/worlds/default/archive")).text;
  isDown = true;
  const answers = [
    await replica.ask("POST", "/__understudy/worlds/default/fork"),
    await replica.send("POST", "/__understudy/worlds", archive),
  ];
  for (const { status } of answers) expect([500, 503]).toContain(status);
  isDown = false;
  await replica.close();
});

/** A clock that passes a minute whenever it is read, so that a failed write is not repeated for long. */
function risingClock(): () => number {
  let nowMs = 0;
  return () => {
    nowMs += 20_000;
    return nowMs;
  };
}

test("a world that is not readable gets 500 with the reason, and the replica stays ready", async () => {
  const through = (store: Parameters<typeof alteredStore>[0]) =>
    alteredStore(store, {
      take: (id, replica) =>
        id === "default" ? store.take(id, replica) : Promise.reject(new UnreadableWorld("it was cut")),
    });
  const replica = await openReplica({ name: "a", url: sqliteUrl(), through });
  expect(await replica.ask("GET", "/w/damaged/v2/users")).toMatchObject({
    status: 500,
    text: 'The stored world "damaged" is not readable. Restore the store from a copy, or use another world.',
  });
  expect((await replica.ask("GET", "/__understudy/ready")).status).toBe(200);
  await replica.close();
});

test.each([
  ["a ledger without tables", { ledger: {} }, []],
  ["a plan that is not one", { plan: { timed: [], calls: [null], responses: [] } }, []],
  ["labels that are not allowed", {}, ["a b"]],
])("an archive with %s is refused, and the worlds are listed as before", async (_, members, labels) => {
  const replica = await openReplica({ name: "a", url: sqliteUrl() });
  const { initial } = scenarioOf("quickstart");
  const state = Object.assign({}, initial, members);
  const archive = archiveOf({ id: "x", labels, start: initial, state }, "quickstart", "2026-01-01T00:00:00Z");
  expect((await replica.send("POST", "/__understudy/worlds", archive)).status).toBe(400);
  const { stored } = JSON.parse((await replica.ask("GET", "/__understudy/worlds")).text);
  expect(stored).toHaveLength(1);
  await replica.close();
});

test("a world that is taken while an earlier release of it is written stays with its owner", async () => {
  const url = sqliteUrl();
  const gate = new Gate();
  let isSlow = false;
  const replica = await openReplica({
    name: "a",
    url,
    through: (store) =>
      alteredStore(store, {
        release: async (ids, name) => {
          if (isSlow && ids.includes("default")) await gate.pass();
          return store.release(ids, name);
        },
      }),
  });
  isSlow = true;
  const releasing = replica.keeper.release(["default"]);
  await gate.reached;
  isSlow = false;
  // Another release ends first; the world may be taken only after both.
  await replica.keeper.release(["elsewhere"]);
  const asked = replica.ask(...createUser("zoe"));
  gate.open();
  await releasing;
  expect((await asked).status).toBe(200);
  const { stored } = JSON.parse((await replica.ask("GET", "/__understudy/worlds")).text);
  expect(stored).toMatchObject([{ id: "default", owner: "a" }]);
  await replica.close();
});
