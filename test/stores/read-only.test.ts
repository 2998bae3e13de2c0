import { expect, test, vi } from "vitest";
import { alteredStore } from "./_altered-store.ts";
import { openReplica, type Replica, sqliteUrl } from "./_replicas.ts";
import { takeOver } from "./_take-over.ts";

const create = (replica: Replica, id: string) => replica.ask("POST", "/v2/users", { user: { id } });
const statusOf = async (replica: Replica, target: string) => (await replica.ask("GET", target)).status;

/** A replica with a lease of ten minutes, over a store that can be full: each attempt to write takes five minutes then. */
async function replicaOnDisk(url: string): Promise<{ readonly replica: Replica; readonly disk: { isFull: boolean } }> {
  const disk = { isFull: false };
  let nowMs = 0;
  const unlessFull = async <Result>(run: () => Promise<Result>): Promise<Result> => {
    if (!disk.isFull) return run();
    nowMs += 300_000;
    throw new Error("database or disk is full");
  };
  const replica = await openReplica({
    name: "a",
    url,
    nowMs: () => nowMs + performance.now(),
    through: (store) =>
      alteredStore(store, {
        renew: (...given) => unlessFull(() => store.renew(...given)),
        write: (...given) => unlessFull(() => store.write(...given)),
        take: (...given) => unlessFull(() => store.take(...given)),
      }),
  });
  return { replica, disk };
}

test("after a write that failed on a full disk, reads go on with what is stored, and writes when there is space", async () => {
  const { replica, disk } = await replicaOnDisk(sqliteUrl());
  const { id: fork } = JSON.parse((await replica.ask("POST", "/__understudy/worlds/default/fork", {})).text);
  expect((await create(replica, "zoe")).status).toBe(200);
  disk.isFull = true;
  expect((await create(replica, "yan")).status).toBe(500);
  await expect(replica.keeper.renew()).rejects.toThrow("disk is full");
  await new Promise(setImmediate);
  expect(await statusOf(replica, "/v2/users/zoe")).toBe(200);
  expect(await statusOf(replica, "/v2/users/yan")).toBe(404);
  expect(await statusOf(replica, `/w/${fork}/v2/users`)).toBe(200);
  expect(await replica.ask("GET", "/__understudy/ready")).toMatchObject({
    status: 503,
    text: expect.stringContaining("The store cannot be written. Reads go on."),
  });
  disk.isFull = false;
  await replica.keeper.renew();
  expect((await create(replica, "yan")).status).toBe(200);
  expect(await statusOf(replica, "/__understudy/ready")).toBe(200);
  await replica.close();
});

test("a process whose lease has lapsed on a full disk serves no world that another process has taken", async () => {
  const url = sqliteUrl();
  const { replica, disk } = await replicaOnDisk(url);
  disk.isFull = true;
  for (const _ of "twice") await expect(replica.keeper.renew()).rejects.toThrow("disk is full");
  await new Promise(setImmediate);
  expect(await statusOf(replica, "/v2/users")).toBe(200);
  await takeOver(url);
  const other = await openReplica({ name: "b", url });
  expect((await create(other, "zoe")).status).toBe(200);
  for (const target of ["/v2/users", "/v2/users/zoe"])
    await vi.waitFor(async () => expect(await statusOf(replica, target)).toBe(503));
  await other.close();
  expect(await statusOf(replica, "/v2/users/zoe")).toBe(200);
  await replica.close();
});
