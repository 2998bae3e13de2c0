import { expect, test } from "vitest";
import { foundIn } from "./_found.ts";
import { notFound, tolerable } from "./not-found.ts";
import type { Row } from "./rows.ts";

/** The test of each server: a check finds that it omits one thing, unless the table of misses has it. */
export function testServers(profile: "spec" | "canton-3.5", servers: readonly Row[]): void {
  const own = servers.filter(([, , only]) => only === undefined || only === profile);
  test.each(own.map(([id, plant]) => ({ id, plant })))(
    `a live check in ${profile} finds the server $id, unless it is a listed one`,
    async ({ id, plant }) => {
      const found = await foundIn(plant, profile);
      const isFound = found.some((finding) => finding.startsWith("FAIL") || tolerable.has(id));
      expect({ isFound, found }).toMatchObject({ isFound: notFound[profile][id] === undefined });
    },
  );
}
