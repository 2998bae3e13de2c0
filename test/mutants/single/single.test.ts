import { expect, test } from "vitest";
import { sampleOf } from "../../_sample.ts";
import { foundIn } from "./_found.ts";
import { testServers } from "./_single.ts";
import { notFound, tolerable } from "./not-found.ts";
import { rows } from "./rows.ts";

// The deep test has every server.
for (const profile of ["spec", "canton-3.5"] as const) {
  testServers(profile, sampleOf(rows, 6));

  test(`a live check in ${profile} finds nothing in the correct server`, async () => {
    expect(await foundIn((inner) => inner, profile)).toEqual([]);
  });
}

test("each fault has an id of its own, and every listed one is in the table", () => {
  const ids = rows.map(([id]) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const listed = [...tolerable, ...Object.values(notFound).flatMap((table) => Object.keys(table))];
  expect(listed.filter((id) => !ids.includes(id))).toEqual([]);
});
