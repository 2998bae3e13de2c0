import { expect, test } from "vitest";
import { seed } from "../_seed.ts";
import { killed } from "./_faults.ts";
import { PostgresForTests } from "./_postgres.ts";
import { sqliteUrl } from "./_replicas.ts";
import { underLoad } from "./_under-load.ts";

const postgres = new PostgresForTests();

test.each([
  { name: "SQLite", newUrl: sqliteUrl, replicas: 1 },
  { name: "PostgreSQL", newUrl: () => postgres.newUrl(), replicas: 2 },
])(
  "replicas over $name that are killed under load lose no acknowledged change, and apply none twice",
  async (store) => {
    const url = await store.newUrl();
    const { acknowledged, problems } = await underLoad({
      url,
      replicas: store.replicas,
      faults: 4,
      seed,
      inject: killed,
    });
    expect({ seed, problems }).toEqual({ seed, problems: [] });
    expect(acknowledged).toBeGreaterThan(0);
  },
);
