import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { findLimitProblem, limitList, limits, limitValues, shownLimit } from "./limits.ts";

const page = readFileSync(new URL("../../../docs/limits.md", import.meta.url), "utf8");

test.each(limitList)("docs/limits.md lists $name with its default and quantity", ({ name, byDefault, quantity }) => {
  expect(page).toContain(`| \`${name}\` | ${shownLimit(name, byDefault)} | ${quantity} |`);
});

test.each(limitList)("$name accepts its minimum and maximum, and refuses values beyond", ({ name, min, max }) => {
  const problemWith = (value: number) => findLimitProblem({ ...limitValues(), ...roomFor(name), [name]: value });
  expect([problemWith(min), problemWith(max)]).toEqual([undefined, undefined]);
  for (const value of [min - 1, max + 1, min + 0.5, Number.NaN]) expect(problemWith(value)?.name).toBe(name);
  expect(limits[name].name).toBe(name);
});

/** Values of the limits that restrict this one. */
function roomFor(name: string) {
  if (name === "bufferedBytesMax") return { bodyBytesMax: limits.bodyBytesMax.min };
  if (name === "headBytesMax") return { targetBytesMax: limits.targetBytesMax.min };
  if (name === "requestTimeoutMs") return { headTimeoutMs: limits.headTimeoutMs.min };
  return { headBytesMax: limits.headBytesMax.max, requestTimeoutMs: limits.requestTimeoutMs.max };
}

test.each([
  ["bufferedBytesMax", 1_000_000, "bodyBytesMax", 500_000],
  ["requestTimeoutMs", 10_000, "headTimeoutMs", 5000],
  ["headBytesMax", 4096, "targetBytesMax", 2048],
] as const)("a smaller %s lowers the default of its part, but not a given value", (whole, value, part, own) => {
  const values = limitValues({ [whole]: value });
  expect([values[part], findLimitProblem(values)]).toEqual([value, undefined]);
  expect(limitValues({ [whole]: value, [part]: own })[part]).toBe(own);
  expect(findLimitProblem(limitValues({ [whole]: value, [part]: value + 1 }))?.name).toBe(part);
});
