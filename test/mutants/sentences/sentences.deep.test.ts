import { expect, test } from "vitest";
import { detect } from "./_detect.ts";
import { oddities } from "./_oddities.ts";
import { misses } from "./rows.ts";

const profiles = ["spec", "canton-3.5"] as const;
const nothing = { live: [], apart: [], adjacent: [] };

test.each(profiles)("a check of a live server in %s finds nine of ten faults of the table", async (profile) => {
  const { planted, live } = await misses(profile);
  expect(live.length).toBeLessThan(planted / 10);
});

test.each(oddities)("a server with %s has no violation", async (_, wrap) => {
  for (const profile of profiles) expect(await detect({ profile, wrap })).toEqual(nothing);
});

test.each(profiles)("the correct server in %s has no violation under a hundred seeds", async (profile) => {
  for (let seed = 0; seed < 100; seed += 1)
    expect(await detect({ profile, wrap: (inner) => inner }, `seed-${seed}`)).toEqual(nothing);
});
