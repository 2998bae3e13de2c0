import { expect, test } from "vitest";
import { detect } from "./_detect.ts";
import { nothing, testLiveChecks } from "./_live.ts";
import { oddities } from "./_oddities.ts";

testLiveChecks("spec");

test.each(oddities)("a server with %s has no violation", async (_, wrap, responseMs) => {
  for (const profile of ["spec", "canton-3.5"] as const)
    expect(await detect({ profile, wrap }, { responseMs })).toEqual(nothing);
});
