import { expect, test, vi } from "vitest";
import type { Json } from "../../src/foundation/json/json.ts";
import type { WorldStore } from "../../src/stub/stores/world-store.ts";
import { alteredStore, Gate } from "./_altered-store.ts";
import { openReplica, type Replica, sqliteUrl } from "./_replicas.ts";
import { takeOver } from "./_take-over.ts";

const create = (replica: Replica, id: string) => replica.ask("POST", "/v2/users", { user: { id } });
/** What a later owner of the default world responds. */
const statusLater = async (url: string, user: string) => {
  const later = await openReplica({ name: "c", url });
  const ask = () => later.ask("GET", `/v2/users/${user}`);
  const { status } = await vi.waitFor(async () => {
    const received = await ask();
    expect(received.status).not.toBe(503);
    return received;
  });
  await later.close();
  return status;
};
/** A store whose first write waits at a gate. */
const gated = (gate: Gate) => {
  let writes = 0;
  return (store: WorldStore) =>
    alteredStore(store, {
      write: async (batch, replica) => {
        writes += 1;
        if (writes === 1) await gate.pass();
        return store.write(batch, replica);
      },
    });
};
/** Turns of the event loop, in which everything happens that waits for nothing else. */
const aWhile = async () => {
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
};

test("a change that waits for a transaction is not acknowledged when its world is lost meanwhile", async () => {
  const [url, gate] = [sqliteUrl(), new Gate()];
  let nowMs = 0;
  const owner = await openReplica({ name: "a", url, through: gated(gate), nowMs: () => nowMs });
  const first = create(owner, "first");
  await gate.reached;
  const second = create(owner, "second");
  nowMs += 700_000;
  await takeOver(url);
  await owner.keeper.renew();
  gate.open();
  expect(await first).toMatchObject({ status: 503, retryAfter: "1" });
  expect(await second).toMatchObject({ status: 503, retryAfter: "1" });
  await owner.close();
  expect(await statusLater(url, "second")).toBe(404);
});

test("a lease that is renewed after it has expired keeps no world, since others may have taken them", async () => {
  const [url, gate] = [sqliteUrl(), new Gate()];
  let [nowMs, renewals] = [0, 0];
  const owner = await openReplica({
    name: "a",
    url,
    nowMs: () => nowMs,
    through: (store) =>
      alteredStore(store, {
        renew: async (replica, leaseMs) => {
          renewals += 1;
          if (renewals > 1) await gate.pass();
          return store.renew(replica, leaseMs);
        },
      }),
  });
  expect((await owner.ask("GET", "/v2/users")).status).toBe(200);
  const renewal = owner.keeper.renew();
  await gate.reached;
  nowMs += 700_000;
  gate.open();
  await renewal;
  expect(owner.hosting.worlds.size).toBe(0);
  await owner.close();
});

test("a write whose first attempt may have had its effect is not reported as not executed", async () => {
  const url = sqliteUrl();
  let writes = 0;
  const owner = await openReplica({
    name: "a",
    url,
    through: (store) =>
      alteredStore(store, {
        write: async (batch, replica) => {
          writes += 1;
          const refused = await store.write(batch, replica);
          if (writes > 1) return refused;
          await takeOver(url);
          throw new Error("the connection ended after the commit");
        },
      }),
  });
  const { status, text } = await create(owner, "zoe");
  expect(status).toBe(500);
  expect(text).toContain("not known");
  await owner.close();
  expect(await statusLater(url, "zoe")).toBe(200);
});

test("a removed world is removed in the store before the response is sent", async () => {
  const [url, gate] = [sqliteUrl(), new Gate()];
  const isGated = { value: false };
  const owner = await openReplica({
    name: "a",
    url,
    through: (store) =>
      alteredStore(store, {
        write: async (batch, replica) => {
          if (isGated.value) await gate.pass();
          return store.write(batch, replica);
        },
      }),
  });
  const { id } = JSON.parse((await owner.ask("POST", "/__understudy/worlds/default/fork", {})).text);
  isGated.value = true;
  let isSent = false;
  const removal = owner.ask("DELETE", `/__understudy/worlds/${id}`).finally(() => {
    isSent = true;
  });
  await gate.reached;
  await aWhile();
  expect(isSent).toBe(false);
  gate.open();
  expect((await removal).status).toBe(200);
  const { stored } = JSON.parse((await owner.ask("GET", "/__understudy/worlds")).text);
  expect(stored).toMatchObject([{ id: "default" }]);
  await owner.close();
});

test("a request that finds the effect of an earlier one gets its response when that is stored", async () => {
  const [url, gate] = [sqliteUrl(), new Gate()];
  const owner = await openReplica({ name: "a", url, through: gated(gate) });
  const first = create(owner, "zoe");
  await gate.reached;
  let isSent = false;
  const repeated = create(owner, "zoe").finally(() => {
    isSent = true;
  });
  await aWhile();
  expect(isSent).toBe(false);
  expect((await owner.ask("GET", "/v2/users")).status).toBe(200);
  gate.open();
  expect([(await first).status, (await repeated).status]).toEqual([200, 409]);
  await owner.close();
});

test("a world that is requested while it is given back has an owner afterwards", async () => {
  const [url, gate] = [sqliteUrl(), new Gate()];
  const owner = await openReplica({
    name: "a",
    url,
    through: (store) =>
      alteredStore(store, {
        release: async (ids, replica) => {
          await gate.pass();
          return store.release(ids, replica);
        },
      }),
  });
  const released = owner.keeper.release(["default"]);
  await gate.reached;
  const received = owner.ask("GET", "/v2/users");
  await aWhile();
  gate.open();
  await released;
  expect((await received).status).toBe(200);
  const { stored } = JSON.parse((await owner.ask("GET", "/__understudy/worlds")).text);
  expect(stored).toMatchObject([{ id: "default", owner: "a" }]);
  await owner.close();
});

test("a fork of a version that is refused is not in the store", async () => {
  const [url, gate] = [sqliteUrl(), new Gate()];
  const owner = await openReplica({ name: "a", url, through: gated(gate) });
  const first = create(owner, "first");
  await gate.reached;
  const fork = owner.ask("POST", "/__understudy/worlds/default/fork", {});
  await takeOver(url);
  gate.open();
  expect([(await first).status, (await fork).status]).toEqual([503, 503]);
  const { stored } = JSON.parse((await owner.ask("GET", "/__understudy/worlds")).text);
  expect(stored).toMatchObject([{ id: "default" }]);
  await owner.close();
});

test("a world that cannot be written goes on in its last stored state, and concerns no other world", async () => {
  const url = sqliteUrl();
  const owner = await openReplica({ name: "a", url });
  const fork = String(JSON.parse((await owner.ask("POST", "/__understudy/worlds/default/fork", {})).text).id);
  expect((await owner.ask("GET", `/w/${fork}/v2/users`)).status).toBe(200);
  let deep: Json = 1;
  for (let depth = 0; depth < 50_000; depth += 1) deep = [deep];
  const instead = { status: 200, contentType: "text/plain", body: "" };
  const response = {
    operationId: "getV2Users",
    match: { body: [["/a", deep] as const], query: [] },
    nth: 2,
    times: 1,
    every: undefined,
    timing: "instead",
    response: { type: "response", ...instead },
    headers: undefined,
    delay: undefined,
    network: undefined,
  } as const;
  owner.hosting.worlds.get(fork)?.world.plan({ timed: [], calls: [], responses: [response] });
  const both = [owner.ask("POST", `/w/${fork}/v2/users`, { user: { id: "zoe" } }), create(owner, "zoe")];
  const [refused, stored] = await Promise.all(both);
  expect(refused?.text).toContain("The state of this world cannot be stored");
  expect([refused?.status, stored?.status, owner.keeper.isResponding]).toEqual([500, 200, true]);
  expect(owner.faults).toEqual([expect.stringContaining("RangeError")]);
  expect((await owner.ask("GET", `/w/${fork}/v2/users/zoe`)).status).toBe(404);
  expect((await owner.ask("POST", `/w/${fork}/v2/users`, { user: { id: "zoe" } })).status).toBe(200);
  await owner.close();
  expect(await statusLater(url, "zoe")).toBe(200);
});
