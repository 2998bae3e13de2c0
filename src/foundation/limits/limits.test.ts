import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { limitList, limits, limitValues, problemOfLimits, shownLimit } from "./limits.ts";

const page = readFileSync(new URL("../../../docs/limits.md", import.meta.url), "utf8");

test.each(limitList)(
  "docs/limits.md lists $name with its flag, its default and what it limits",
  ({ name, flag, byDefault, of }) => {
    expect(page).toContain(`| \`${name}\` | \`--${flag}\` | ${shownLimit(name, byDefault)} | ${of} |`);
  },
);

test.each(limitList)("$name accepts its documented range, and nothing outside it", ({ name, min, max }) => {
  const problemWith = (value: number) => problemOfLimits({ ...limitValues(), ...roomFor(name), [name]: value });
  expect([problemWith(min), problemWith(max)]).toEqual([undefined, undefined]);
  for (const value of [min - 1, max + 1, min + 0.5, Number.NaN]) expect(problemWith(value)?.name).toBe(name);
  expect(limits[name].name).toBe(name);
});

/** Values of related limits that allow the whole range of this one. */
function roomFor(name: string) {
  if (name === "headBytesMax") return { targetBytesMax: limits.targetBytesMax.min };
  if (name === "requestTimeoutMs") return { headTimeoutMs: limits.headTimeoutMs.min };
  return { headBytesMax: limits.headBytesMax.max, requestTimeoutMs: limits.requestTimeoutMs.max };
}

test.each([
  ["requestTimeoutMs", 10_000, "headTimeoutMs", 5000],
  ["headBytesMax", 4096, "targetBytesMax", 2048],
] as const)("a smaller %s lowers the defaults of its parts, and keeps given values", (whole, value, part, own) => {
  const values = limitValues({ [whole]: value });
  expect([values[part], problemOfLimits(values)]).toEqual([value, undefined]);
  expect(limitValues({ [whole]: value, [part]: own })[part]).toBe(own);
  expect(problemOfLimits(limitValues({ [whole]: value, [part]: value + 1 }))?.name).toBe(part);
});
