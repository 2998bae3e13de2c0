import { request } from "node:http";
import { expect, onTestFinished, test, vi } from "vitest";
import { startWithTimes } from "../../src/entrypoints/library/start-understudy.ts";
import { createUnderstudy, startUnderstudy, type Understudy } from "../../src/index.ts";
import { KeptWorlds } from "../../src/stub/hosting/kept-worlds.ts";
import type { WorldStore } from "../../src/stub/stores/world-store.ts";
import { running, understudy } from "../acceptance/_command-line.ts";
import { openReplica, type Replica, sqliteUrl } from "./_replicas.ts";

/** How long a test waits for another process. */
const patienceMs = 10_000;

/** Another process that owns the default world, and the store as that process sees it. */
async function otherProcess(url: string): Promise<{ readonly replica: Replica; readonly worlds: WorldStore }> {
  const opened = Promise.withResolvers<WorldStore>();
  const replica = await openReplica({
    name: "other",
    url,
    through: (worlds) => {
      opened.resolve(worlds);
      return worlds;
    },
  });
  return { replica, worlds: await opened.promise };
}

function createUser(stub: Understudy, id: string): Promise<Response> {
  const body = JSON.stringify({ user: { id } });
  return stub.fetch("/v2/users", { method: "POST", headers: { "Content-Type": "application/json" }, body });
}

/** Sends the head of a request, and the body after `meanwhile`. Resolves to the status. */
function statusOfSlowRequest(url: string, meanwhile: () => void): Promise<number | undefined> {
  const body = JSON.stringify({ user: { id: "late" } });
  const headers = { "Content-Type": "application/json", "Content-Length": body.length, Expect: "100-continue" };
  return new Promise((resolve, reject) => {
    const sent = request(new URL("/v2/users", url), { method: "POST", headers });
    sent.on("continue", () => {
      meanwhile();
      sent.end(body);
    });
    sent.on("response", (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.on("error", reject);
    sent.flushHeaders();
  });
}

test("a stub of the library with a store keeps its worlds, and what the program changed in them", async () => {
  const store = sqliteUrl();
  const first = await startUnderstudy({ store, auth: "none" });
  await createUser(first, "zoe");
  const fork = first.fork();
  first.clock.advance("PT1H");
  first.fault("getV2Users", { status: 503 });
  const [now, forked] = [first.clock.now, new URL(fork.ledgerUrl).pathname];
  await first.close();
  const second = await startUnderstudy({ store, auth: "none" });
  expect(second.clock.now).toEqual(now);
  expect(second.unusedResponses()).toHaveLength(1);
  expect((await second.fetch("/v2/users/zoe")).status).toBe(200);
  expect((await fetch(new URL(`${forked}/v2/users/zoe`, second.ledgerUrl))).status).toBe(200);
  await second.close();
});

test("a store that cannot be used is refused with the remedy", async () => {
  await expect(startUnderstudy({ store: "mysql://db" })).rejects.toThrow(
    "option store: the value is not the URL of a store. Use memory:, sqlite:FILE, or postgres://USER:PASSWORD@HOST:PORT/DATABASE.",
  );
  const options: object = { store: "sqlite:a.db" };
  expect(() => createUnderstudy(options)).toThrow(
    "option store: createUnderstudy keeps worlds in memory. Use startUnderstudy.",
  );
});

test("a start waits for the default world of a process that crashed", async () => {
  const store = sqliteUrl();
  const { replica, worlds } = await otherProcess(store);
  const warn = vi.spyOn(process, "emitWarning").mockReturnValue(undefined);
  onTestFinished(() => warn.mockRestore());
  const starting = startUnderstudy({ store, auth: "none" });
  await vi.waitFor(async () => expect((await worlds.renew("other", 600_000)).wanted).toEqual(["default"]), patienceMs);
  await vi.waitFor(() => expect(warn).toHaveBeenCalledWith(expect.stringContaining("within 33 seconds")), patienceMs);
  await worlds.renew("other", 0);
  await using stub = await starting;
  expect(stub.isClosed).toBe(false);
  expect(stub.clock.now).toEqual(new Date(replica.hosting.worlds.get("default")?.world.state.nowMs ?? 0));
  await replica.close();
});

test("a start is refused with the remedy while another process keeps the default world", async () => {
  const store = sqliteUrl();
  const { replica } = await otherProcess(store);
  const warn = vi.spyOn(process, "emitWarning").mockReturnValue(undefined);
  onTestFinished(() => warn.mockRestore());
  await expect(startWithTimes({ store }, { leaseMs: 600 })).rejects.toMatchObject({
    name: "UnderstudyError",
    message: expect.stringContaining("another process uses the default world of this store. Give each process a store"),
  });
  await replica.close();
});

test("a world that another process has taken is not closed, and a request takes it again", async () => {
  const store = sqliteUrl();
  await using stub = await startWithTimes({ store, auth: "none" }, { leaseMs: 300 });
  const replica = await openReplica({ name: "other", url: store });
  await vi.waitFor(async () => expect((await replica.ask("GET", "/v2/version")).status).toBe(200), patienceMs);
  const inMemory = [() => stub.clock, () => stub.world, () => stub.journal, () => stub.fork(), () => stub.reset()];
  for (const use of inMemory) expect(use).toThrow("this world is not in this process now. Send a request first");
  expect(stub.isClosed).toBe(false);
  expect((await stub.fetch("/v2/version")).status).toBe(503);
  await replica.close();
  await vi.waitFor(async () => expect((await stub.fetch("/v2/version")).status).toBe(200), patienceMs);
  expect(stub.journal).toHaveLength(1);
});

test("closing a fork that was given back to the store removes it there", async () => {
  const store = sqliteUrl();
  await using stub = await startWithTimes({ store, auth: "none" }, { leaseMs: 300 });
  const fork = stub.fork();
  const version = new URL(`${fork.ledgerUrl}/v2/version`).pathname;
  const replica = await openReplica({ name: "other", url: store });
  await vi.waitFor(async () => expect((await replica.ask("GET", version)).status).toBe(200), patienceMs);
  await replica.close();
  await fork.close();
  const { worlds } = await otherProcess(store);
  await vi.waitFor(async () => expect((await worlds.list()).map(({ id }) => id)).toEqual(["default"]), patienceMs);
  await worlds.close();
});

test("closing a stub with a store closes its forks", async () => {
  const stub = await startUnderstudy({ store: sqliteUrl(), auth: "none" });
  const [kept, closed] = [stub.fork(), stub.fork()];
  await closed.close();
  expect([stub, kept, closed].map(({ isClosed }) => isClosed)).toEqual([false, false, true]);
  await stub.close();
  await stub.close();
  expect([stub, kept].map(({ isClosed }) => isClosed)).toEqual([true, true]);
  await expect(kept.fetch("/v2/version")).rejects.toThrow("this stub is closed");
  expect(() => stub.reset()).toThrow("this stub is closed");
});

test("a start that fails gives the worlds of the store back", async () => {
  const store = sqliteUrl();
  await using other = await startUnderstudy();
  const { port } = new URL(other.ledgerUrl);
  await expect(startUnderstudy({ store, port: Number(port) })).rejects.toThrow("EADDRINUSE");
  await expect(startUnderstudy({ store, scenario: "none.yaml" })).rejects.toThrow("File not found");
  const { exitCode } = await understudy(["serve", "--store", store, "--limit", "leaseMs=3600000", "--port", port]);
  expect(exitCode).toBe(2);
  const replica = await openReplica({ name: "next", url: store });
  expect((await replica.ask("GET", "/v2/version")).status).toBe(200);
  await replica.close();
});

test("serve says that another replica owns the default world, and serves", async () => {
  const store = sqliteUrl();
  const { replica } = await otherProcess(store);
  const stub = await running(["serve", "--port", "0", "--store", store, "--limit", "leaseMs=1000"]);
  const status = async (path: string) => (await fetch(`${stub.url}${path}`)).status;
  expect([await status("/v2/version"), await status("/__understudy/worlds")]).toEqual([503, 200]);
  expect((await stub.end()).error).toContain("Another replica owns the default world of the store.");
  await replica.close();
});

test("a request that arrives while a stub closes does not take its world again", async () => {
  const store = sqliteUrl();
  const first = await startUnderstudy({ store, auth: "none" });
  await createUser(first, "zoe");
  let closing: Promise<void> | undefined;
  const status = await statusOfSlowRequest(first.ledgerUrl, () => {
    closing = first.close();
  });
  expect(status).toBe(503);
  await closing;
  await using second = await startUnderstudy({ store, auth: "none" });
  const users = ["zoe", "late"].map(async (id) => (await second.fetch(`/v2/users/${id}`)).status);
  expect(await Promise.all(users)).toEqual([200, 404]);
});

test("close does not wait long for a store that does not respond", async () => {
  const close = vi.spyOn(KeptWorlds.prototype, "close").mockReturnValue(new Promise(() => undefined));
  const warn = vi.spyOn(process, "emitWarning").mockReturnValue(undefined);
  onTestFinished(() => {
    for (const spy of [close, warn]) spy.mockRestore();
  });
  const stub = await startWithTimes({ store: sqliteUrl() }, { leaseMs: 30_000, closeMsMax: 1 });
  await stub.close();
  expect(warn).toHaveBeenCalledWith(expect.stringContaining("The store did not respond within 0.001 seconds"));
});
