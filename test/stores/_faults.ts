import { spawnSync } from "node:child_process";
import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { afterFile } from "../_after-file.ts";
import type { CuttableProxy } from "./_cuttable-proxy.ts";
import type { Fleet, Load } from "./_under-load.ts";

type Fault = (fleet: Fleet, random: () => number) => Promise<void>;

/** Most milliseconds for which a fault lasts: longer than the lease. */
const durationMsMax = 2500;

export const killed: Fault = (fleet, random) => fleet.replace(random);

/** One of several faults at a time, each as often. */
export function anyOf(faults: Readonly<Record<string, Fault>>): Load["inject"] {
  const all = Object.values(faults);
  return (fleet, random) => all[Math.floor(random() * all.length)]?.(fleet, random) ?? Promise.resolve();
}

/** Faults of a PostgreSQL database, and of the network between it and the replicas. */
export function postgresFaults(url: string, network: CuttableProxy): Readonly<Record<string, Fault>> {
  const others = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()";
  return {
    killed,
    connectionsTerminated: (_, random) =>
      connected(url, async (client) => {
        for (let times = random() * 10; times > 0; times -= 1)
          await client.query(`SELECT pg_terminate_backend(pid) FROM (${others}) AS others`);
      }),
    tableLocked: (_, random) =>
      connected(url, async (client) => {
        const table = ["worlds", "changes", "replicas"][Math.floor(random() * 3)];
        await client.query(`BEGIN; LOCK TABLE understudy.${table} IN ACCESS EXCLUSIVE MODE`);
        await wait(random() * durationMsMax);
        await client.query("COMMIT");
      }),
    networkCut: async (_, random) => {
      network.cut();
      await wait(random() * durationMsMax);
      network.heal();
    },
    networkStalled: async (_, random) => {
      network.stall();
      await wait(random() * durationMsMax);
      network.heal();
    },
  };
}

/** Faults of a SQLite file. */
export function sqliteFaults(file: string): Readonly<Record<string, Fault>> {
  return {
    killed,
    fileLocked: async (_, random) => {
      const other = new DatabaseSync(file, { timeout: 60_000 });
      other.exec("BEGIN IMMEDIATE");
      await wait(random() * durationMsMax);
      other.exec("COMMIT");
      other.close();
    },
    fileMoved: (_, random) => replaced(file, random, undefined),
    fileReplaced: (_, random) => replaced(file, random, "not the store"),
    logMoved: (_, random) => replaced(`${file}-wal`, random, undefined),
  };
}

/** Moves a file away, and back after a while. */
async function replaced(file: string, random: () => number, content: string | undefined): Promise<void> {
  renameSync(file, `${file}.away`);
  if (content !== undefined) writeFileSync(file, content);
  await wait(random() * durationMsMax);
  renameSync(`${file}.away`, file);
}

/** A small disk, and the fault of filling it; undefined where a disk cannot be mounted. */
export function smallDisk(): { readonly folder: string; readonly diskFull: Fault } | undefined {
  const folder = mkdtempSync(join(tmpdir(), "understudy-disk-"));
  if (spawnSync("mount", ["-t", "tmpfs", "-o", "size=64m", "tmpfs", folder]).status !== 0) return undefined;
  afterFile(() => spawnSync("umount", ["-l", folder]));
  const filler = join(folder, "filler");
  return {
    folder,
    diskFull: async (_, random) => {
      spawnSync("dd", ["if=/dev/zero", `of=${filler}`, "bs=4096"]);
      await wait(random() * 2 * durationMsMax);
      rmSync(filler);
    },
  };
}

async function connected(url: string, run: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client(url);
  client.on("error", () => undefined);
  await client.connect();
  try {
    await run(client);
  } finally {
    await client.end();
  }
}

/** The environment of a process whose wall clock jumps by up to a day, five times a second. */
export function jumpingClock(): Readonly<Record<string, string>> {
  const file = join(mkdtempSync(join(tmpdir(), "understudy-clock-")), "jump.mjs");
  const code = `const now = Date.now;
let jumps = 0;
setInterval(() => { jumps += 1; }, 200).unref();
Date.now = () => Math.round(now() + Math.sin(jumps * 12.9898) * 86_400_000);`;
  writeFileSync(file, code);
  return { NODE_OPTIONS: `--import ${file}` };
}
