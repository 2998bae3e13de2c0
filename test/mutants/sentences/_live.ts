import { expect, test } from "vitest";
import type { Mutant } from "../_mutant.ts";
import { detect } from "./_detect.ts";
import { rulesAccusing, seededFaults, verdictsOf } from "./_seeds.ts";
import { notFound } from "./not-found.ts";
import { notInRecordings, notWhenAdjacent } from "./not-in-recordings.ts";
import { faultyServers } from "./rows.ts";

/** The tests of a profile: a check of each faulty server finds its fault, unless it is listed, and accuses no correct one. */
export function testLiveChecks(profile: Mutant["profile"]): void {
  const listed = notFound[profile];
  const servers = faultyServers(profile);

  test.each(servers)(
    "checks of a live server and of recordings find $id, unless it is a listed one",
    async (server) => {
      const { live, apart, adjacent } = await detect(server);
      const isInNone = notInRecordings[profile][server.id] !== undefined;
      expect({ live: live.length === 0, apart: apart.length === 0, adjacent: adjacent.length === 0 }).toEqual({
        live: listed[server.id] !== undefined,
        apart: isInNone,
        adjacent: isInNone || notWhenAdjacent[profile].includes(server.id),
      });
    },
  );

  test("every listed fault is in the table", () => {
    expect(Object.keys(listed).filter((id) => !servers.some((server) => server.id === id))).toEqual([]);
  });

  test.each(seededFaults)("ten seeds give the same verdict on the faulty server %s", async (id) => {
    const verdicts = await verdictsOf(id, profile, 10);
    expect(verdicts).toEqual([expect.stringMatching(/./)]);
  });

  test("the correct server has no violation under ten seeds", async () => {
    expect(await rulesAccusing(profile, 10)).toEqual([]);
  });
}

/** No violation in any way of checking. */
export const nothing = { live: [], apart: [], adjacent: [] } as const;
