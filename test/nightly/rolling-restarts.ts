import { expect, test } from "vitest";
import { seed } from "../_seed.ts";
import { PostgresForTests } from "../stores/_postgres.ts";
import { restarted } from "../stores/_rolling-restarts.ts";

const postgres = new PostgresForTests();

test("rolling restarts of two replicas with a thousand worlds: each failed request was refused with 503 before it was executed", async () => {
  const url = await postgres.newUrl();
  const { unknown, problems, ...counts } = await restarted({ url, worlds: 1000, rounds: 10, writes: 1000, seed });
  process.stdout.write(`20 rolling restarts with 1000 worlds, seed ${seed}: ${JSON.stringify(counts)}\n`);
  expect({ seed, unknown, problems }).toEqual({ seed, unknown: [], problems: [] });
});
