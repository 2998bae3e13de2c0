import { expect, test } from "vitest";
import { seed } from "../_seed.ts";
import { CuttableProxy } from "./_cuttable-proxy.ts";
import { anyOf, postgresFaults, sqliteFaults } from "./_faults.ts";
import { PostgresForTests } from "./_postgres.ts";
import { sqliteUrl } from "./_replicas.ts";
import { underLoad } from "./_under-load.ts";

const faults = 6;

test("faults of PostgreSQL and its network lose no acknowledged change, and end no process", async () => {
  const url = await new PostgresForTests().newUrl();
  const network = await CuttableProxy.start(() => Number(new URL(url).port));
  const through = new URL(url);
  through.port = String(network.port);
  const inject = anyOf(postgresFaults(url, network));
  const { problems } = await underLoad({ url: String(through), replicas: 2, faults, seed, inject });
  expect({ seed, problems }).toEqual({ seed, problems: [] });
});

test("faults of a SQLite file lose no acknowledged change, and end no process", async () => {
  const url = sqliteUrl();
  const inject = anyOf(sqliteFaults(url.slice("sqlite:".length)));
  const { problems } = await underLoad({ url, replicas: 1, faults, seed, inject });
  expect({ seed, problems }).toEqual({ seed, problems: [] });
});
