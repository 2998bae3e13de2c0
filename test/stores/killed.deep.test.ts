import { expect, test } from "vitest";
import { seed } from "../_seed.ts";
import { killed } from "./_killed.ts";
import { PostgresForTests } from "./_postgres.ts";
import { sqliteUrl } from "./_replicas.ts";

const postgres = new PostgresForTests();

test.each([
  { name: "SQLite", newUrl: sqliteUrl, replicas: 1 },
  { name: "PostgreSQL", newUrl: () => postgres.newUrl(), replicas: 2 },
])(
  "replicas over $name that are killed under load lose no acknowledged change, and apply none twice",
  async (store) => {
    const url = await store.newUrl();
    const { acknowledged, problems } = await killed({ url, replicas: store.replicas, kills: 4, seed });
    expect({ seed, problems }).toEqual({ seed, problems: [] });
    expect(acknowledged).toBeGreaterThan(0);
  },
);
