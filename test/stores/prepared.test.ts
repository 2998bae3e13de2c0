import { expect, test } from "vitest";
import { tapsOf } from "../../bench/traffic/execute.ts";
import { openReplica, type Replica, sqliteUrl } from "./_replicas.ts";
import { party, registryAdmin } from "./_writer.ts";

/** Prepares a transaction at a replica, and gives what executes it. */
async function prepared(replica: Replica): Promise<readonly [string, string, unknown]> {
  const prepare = await tapsOf({ userIds: [], parties: [party], registryAdmin }, async (path, { method, body }) => {
    const { status, text } = await replica.ask(method ?? "GET", path, JSON.parse(String(body)));
    return new Response(text, { status });
  });
  const { path, body = "" } = await prepare("tap");
  return ["POST", path, JSON.parse(body)];
}

test("a transaction that was prepared before its world was given back and taken again is executed once", async () => {
  const replica = await openReplica({ name: "a", url: sqliteUrl() });
  const execution = await prepared(replica);
  await replica.keeper.release(["default"]);
  const received = await Promise.all([1, 2, 3].map(() => replica.ask(...execution)));
  expect(received.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  await replica.close();
});
