import { expect, test } from "vitest";
import { profileNamesOf } from "../../src/spec/spec.ts";
import { probedStub } from "../acceptance/_probed.ts";
import { mutationScore } from "./_score.ts";
import { judgedSession } from "./_session.ts";
import { mutants } from "./index.ts";

test("the judge finds every planted fault, and every rule finds one", { timeout: 240_000 }, async () => {
  expect(await mutationScore()).toEqual({ planted: mutants.length, survivors: [], idleRules: [] });
});

test.each(profileNamesOf("ledger"))(
  "nothing is found in the session of an application with the stub in %s",
  async (ledger) => {
    const { handler, tokens } = await probedStub({ ledger });
    const { violations } = await judgedSession(handler, ledger, tokens.administrator ?? "");
    expect(violations.filter(({ outcome }) => outcome !== "KNOWN")).toEqual([]);
  },
);

test("each fault has a name of its own, and there are many", () => {
  expect(new Set(mutants.map(({ id }) => id)).size).toBe(mutants.length);
  expect(mutants.length).toBeGreaterThan(200);
});
