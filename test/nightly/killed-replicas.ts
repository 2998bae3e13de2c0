import { expect, test } from "vitest";
import { seed } from "../_seed.ts";
import { killed } from "../stores/_faults.ts";
import { PostgresForTests } from "../stores/_postgres.ts";
import { sqliteUrl } from "../stores/_replicas.ts";
import { underLoad } from "../stores/_under-load.ts";

const postgres = new PostgresForTests();
const kills = 200;

test.each([
  { name: "SQLite", newUrl: sqliteUrl, replicas: 1 },
  { name: "PostgreSQL", newUrl: () => postgres.newUrl(), replicas: 2 },
])(
  `${kills} replicas over $name that are killed under load lose no acknowledged change, and apply none twice`,
  async ({ name, newUrl, replicas }) => {
    const { problems, ...counts } = await underLoad({
      url: await newUrl(),
      replicas,
      faults: kills,
      seed,
      inject: killed,
    });
    process.stdout.write(`${kills} replicas over ${name} killed, seed ${seed}: ${JSON.stringify(counts)}\n`);
    expect({ seed, problems }).toEqual({ seed, problems: [] });
  },
);
