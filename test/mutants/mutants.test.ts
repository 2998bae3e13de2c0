import { expect, test } from "vitest";
import { mutationScore } from "./_score.ts";
import { mutants } from "./index.ts";

test("the judge finds every planted fault, and every rule finds one", { timeout: 240_000 }, async () => {
  expect(await mutationScore()).toEqual({ planted: mutants.length, survivors: [], idleRules: [] });
});

test("each fault has a name of its own, and there are many", () => {
  expect(new Set(mutants.map(({ id }) => id)).size).toBe(mutants.length);
  expect(mutants.length).toBeGreaterThan(200);
});
