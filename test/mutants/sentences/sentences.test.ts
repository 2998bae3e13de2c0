import { expect, test } from "vitest";
import { sampleOf } from "../../_sample.ts";
import { detect } from "./_detect.ts";
import { nothing } from "./_live.ts";
import { oddities } from "./_oddities.ts";
import { notInRecordings, notWhenAdjacent } from "./not-in-recordings.ts";
import { faultyServers, rows } from "./rows.ts";

const profiles = ["spec", "canton-3.5"] as const;

test("there are at least 150 faults a profile, each with an id of its own and a sentence", () => {
  for (const profile of profiles) {
    const ids = faultyServers(profile).map(({ id }) => id);
    expect(ids.length).toBeGreaterThan(150);
    expect(new Set(ids).size).toBe(ids.length);
  }
  expect(rows.filter(([, sentence]) => !/^[2-9]/.test(sentence))).toEqual([]);
});

test.each(profiles)(
  "recordings show at least 95 %% of the faults in %s, however close their exchanges are",
  (profile) => {
    const ids = faultyServers(profile).map(({ id }) => id);
    const hidden = new Set([...Object.keys(notInRecordings[profile]), ...notWhenAdjacent[profile]]);
    expect([...hidden].filter((id) => !ids.includes(id))).toEqual([]);
    expect(1 - hidden.size / ids.length).toBeGreaterThanOrEqual(0.95);
  },
);

test.each(profiles)("the correct server in %s has no violation, live or from recordings", async (profile) => {
  expect(await detect({ profile, wrap: (inner) => inner })).toEqual(nothing);
});

test.each(sampleOf(oddities, 1))("a server with %s has no violation", async (_, wrap, responseMs) => {
  for (const profile of profiles) expect(await detect({ profile, wrap }, { responseMs })).toEqual(nothing);
});
