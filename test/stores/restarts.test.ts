import { once } from "node:events";
import { expect, test } from "vitest";
import { servingProcess } from "../acceptance/_process.ts";
import { openReplica, sqliteUrl } from "./_replicas.ts";

const statusAt = async (url: string) =>
  (await fetch(`${url}/v2/users`, { headers: { Authorization: "Bearer any" } })).status;

test("a process that was killed is replaced at once: its lease ends with it", async () => {
  const words = ["--store", sqliteUrl(), "--limit", "leaseMs=3600000"];
  const { url, child } = await servingProcess(words);
  expect(await statusAt(url)).toBe(200);
  const closed = once(child, "close");
  child.kill("SIGKILL");
  await closed;
  const next = await servingProcess(words);
  expect(await statusAt(next.url)).toBe(200);
});

test("serve is ready when the lease of a process that may run elsewhere has ended", async () => {
  const store = sqliteUrl();
  await openReplica({ name: "elsewhere", url: store, leaseMs: 3000 });
  const { url } = await servingProcess(["--store", store]);
  expect(await statusAt(url)).toBe(200);
});

test("serve is ready while another process keeps the default world", async () => {
  const store = sqliteUrl();
  const owner = await servingProcess(["--store", store, "--limit", "leaseMs=3000"]);
  const users = setInterval(() => void statusAt(owner.url), 100);
  const { url } = await servingProcess(["--store", store, "--limit", "leaseMs=3600000"]);
  clearInterval(users);
  expect([await statusAt(owner.url), await statusAt(url)]).toEqual([200, 503]);
});
