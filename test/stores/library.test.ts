import { expect, test } from "vitest";
import { createUnderstudy, startUnderstudy } from "../../src/index.ts";
import { sqliteUrl } from "./_replicas.ts";

test("a stub of the library with a store keeps its worlds, and what the program changed in them", async () => {
  const store = sqliteUrl();
  const first = await startUnderstudy({ store, auth: "none" });
  await first.fetch("/v2/users", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ user: { id: "zoe" } }),
  });
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
    "option store: mysql:… is not a store. Use memory:, sqlite:FILE, or postgres://USER:PASSWORD@HOST:PORT/DATABASE.",
  );
  const options: object = { store: "sqlite:a.db" };
  expect(() => createUnderstudy(options)).toThrow(
    "option store: createUnderstudy keeps worlds in memory. Use startUnderstudy.",
  );
});
