import { expect, test } from "vitest";
import type { Mutant } from "./_mutant.ts";
import { checkMutant, type MutantResult, mutationScore } from "./_score.ts";
import { mutants } from "./index.ts";

const checkedBefore = new Map<Mutant, Promise<MutantResult>>();

/** Each fault is planted once for all tests of this file. */
function checked(mutant: Mutant): Promise<MutantResult> {
  const before = checkedBefore.get(mutant) ?? checkMutant(mutant);
  checkedBefore.set(mutant, before);
  return before;
}

test.each(mutants)("the checker finds the planted fault $id", async (mutant) => {
  expect(await checked(mutant)).toMatchObject({ survival: undefined });
});

test("every rule finds a planted fault", async () => {
  expect(await mutationScore(checked)).toEqual({ planted: mutants.length, survivors: [], idleRules: [] });
});
