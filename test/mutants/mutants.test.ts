import { expect, test } from "vitest";
import { profileNamesOf } from "../../src/foundation/spec/spec.ts";
import { sampleOf } from "../_sample.ts";
import { probedStub } from "../acceptance/_probed.ts";
import { checkMutant } from "./_score.ts";
import { checkedSession } from "./_session.ts";
import { mutants } from "./index.ts";

test.each(sampleOf(mutants, 4))("the checker finds the planted fault $id", async (mutant) => {
  expect(await checkMutant(mutant)).toMatchObject({ survival: undefined });
});

test.each(profileNamesOf("ledger"))(
  "the stub in %s has no findings in the session of an application",
  async (ledger) => {
    const { handler, tokens } = await probedStub({ ledger });
    const { violations } = await checkedSession(handler, ledger, tokens.administrator ?? "");
    expect(violations.filter(({ outcome }) => outcome !== "KNOWN")).toEqual([]);
  },
);

test("fault ids are unique, and there are more than 200 faults", () => {
  expect(new Set(mutants.map(({ id }) => id)).size).toBe(mutants.length);
  expect(mutants.length).toBeGreaterThan(200);
});
