import { join } from "node:path";
import { expect, test } from "vitest";
import { seed } from "../_seed.ts";
import { CuttableProxy } from "../stores/_cuttable-proxy.ts";
import { anyOf, jumpingClock, killed, postgresFaults, smallDisk, sqliteFaults } from "../stores/_faults.ts";
import { PostgresForTests } from "../stores/_postgres.ts";
import { sqliteUrl } from "../stores/_replicas.ts";
import { type Load, underLoad } from "../stores/_under-load.ts";

const faults = Number(process.env["UNDERSTUDY_FAULTS"] ?? 200);

/** Runs a load, and prints what it has seen. */
async function expectNothingLost(name: string, load: Omit<Load, "seed">): Promise<void> {
  const { problems, ...counts } = await underLoad({ ...load, seed });
  process.stdout.write(`${load.faults} faults of ${name}, seed ${seed}: ${JSON.stringify(counts)}\n`);
  expect({ seed, problems }).toEqual({ seed, problems: [] });
}

test("faults of PostgreSQL and its network lose no acknowledged change, and end no process", async () => {
  const url = await new PostgresForTests().newUrl();
  const network = await CuttableProxy.start(() => Number(new URL(url).port));
  const through = new URL(url);
  through.port = String(network.port);
  await expectNothingLost("PostgreSQL", {
    url: String(through),
    replicas: 2,
    faults,
    inject: anyOf(postgresFaults(url, network)),
  });
});

test("faults of a SQLite file lose no acknowledged change, and end no process", async () => {
  const url = sqliteUrl();
  const inject = anyOf(sqliteFaults(url.slice("sqlite:".length)));
  await expectNothingLost("SQLite", { url, replicas: 1, faults, inject });
});

test("a disk that is full at times loses no acknowledged change, and ends no process", async () => {
  const disk = smallDisk();
  if (disk === undefined) {
    process.stdout.write("full disks: skipped (a disk cannot be mounted)\n");
    return;
  }
  const url = `sqlite:${join(disk.folder, "store.db")}`;
  const inject = anyOf({ killed, full: disk.diskFull });
  await expectNothingLost("a full disk", { url, replicas: 1, faults: Math.ceil(faults / 4), inject });
});

test("clocks that jump by up to a day lose no acknowledged change, and end no process", async () => {
  const [url, variables] = [sqliteUrl(), jumpingClock()];
  const kills = Math.ceil(faults / 10);
  await expectNothingLost("jumping clocks", { url, variables, replicas: 1, faults: kills, inject: killed });
});
