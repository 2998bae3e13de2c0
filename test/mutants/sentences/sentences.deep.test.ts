import { expect, test } from "vitest";
import { detect } from "./_detect.ts";
import { oddities } from "./_oddities.ts";
import { notFound } from "./not-found.ts";
import { faultyServers } from "./rows.ts";

const profiles = ["spec", "canton-3.5"] as const;
const servers = profiles.flatMap(faultyServers);
const nothing = { live: [], apart: [], adjacent: [] };

test.each(servers)("a check of a live server in $profile finds $id, unless it is a listed one", async (server) => {
  const { live } = await detect(server);
  expect(live.length > 0).toBe(!notFound[server.profile].includes(server.id));
});

test("every listed fault is in the table", () => {
  for (const profile of profiles) {
    const ids = faultyServers(profile).map(({ id }) => id);
    expect(notFound[profile].filter((id) => !ids.includes(id))).toEqual([]);
  }
});

test.each(oddities)("a server with %s has no violation", async (_, wrap) => {
  for (const profile of profiles) expect(await detect({ profile, wrap })).toEqual(nothing);
});

test.each(profiles)("the correct server in %s has no violation under a hundred seeds", async (profile) => {
  for (let seed = 0; seed < 100; seed += 1)
    expect(await detect({ profile, wrap: (inner) => inner }, `seed-${seed}`)).toEqual(nothing);
});
