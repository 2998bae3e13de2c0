import { expect, test } from "vitest";
import { seed } from "../_seed.ts";
import { PostgresForTests } from "./_postgres.ts";
import { restarted } from "./_rolling-restarts.ts";

const postgres = new PostgresForTests();

test("rolling restarts of two replicas behind a proxy: each failed request was refused with 503 before it was executed", async () => {
  const url = await postgres.newUrl();
  const { acknowledged, unknown, problems } = await restarted({ url, worlds: 50, rounds: 2, writes: 40, seed });
  expect({ seed, unknown, problems }).toEqual({ seed, unknown: [], problems: [] });
  expect(acknowledged).toBeGreaterThanOrEqual(200);
});
