import { join } from "node:path";
import { expect, test } from "vitest";
import { openStore } from "../../src/entrypoints/stores/open-store.ts";
import { root, serving, temporaryFolder } from "./_command-line.ts";
import { servingProcess } from "./_process.ts";

const headers = { Authorization: "Bearer any", "Content-Type": "application/json" };

/** Creates users one after the other until a request fails, and gives the ids of those that were created. */
async function createdUsers(url: string, client: number): Promise<readonly string[]> {
  const created: string[] = [];
  for (;;) {
    const id = `user-${client}-${created.length}`;
    const body = JSON.stringify({ user: { id } });
    const response = await fetch(`${url}/v2/users`, { method: "POST", headers, body }).catch(() => undefined);
    if (response?.status !== 200) return created;
    created.push(id);
  }
}

async function isKnown(url: string, id: string): Promise<boolean> {
  return (await fetch(`${url}/v2/users/${id}`, { headers })).status === 200;
}

test.each(["SIGTERM", "SIGHUP"] as const)(
  "%s under load: what was acknowledged is stored, the worlds are given back, and the exit code is 0",
  async (signal) => {
    const store = `sqlite:${join(temporaryFolder(), "store.db")}`;
    const stub = await servingProcess(["--store", store, "--limit", "leaseMs=3600000"]);
    const clients = Array.from({ length: 8 }, (_, client) => createdUsers(stub.url, client));
    while (!(await isKnown(stub.url, "user-7-2")));
    const ended = stub.ended();
    stub.child.kill(signal);
    expect(await ended).toMatchObject({ exitCode: 0, error: "" });
    const acknowledged = (await Promise.all(clients)).flat();
    expect(acknowledged.length).toBeGreaterThan(8);
    const { worlds } = await openStore({
      url: store,
      isRelaxed: false,
      folder: "",
      migrations: join(root, "migrations"),
    });
    expect((await worlds.list()).map(({ id, owner }) => [id, owner])).toEqual([["default", undefined]]);
    await worlds.close();
    const next = await serving(["--store", store]);
    const found = await Promise.all(acknowledged.map((id) => isKnown(next.url, id)));
    expect(found.every((isFound) => isFound)).toBe(true);
  },
);
