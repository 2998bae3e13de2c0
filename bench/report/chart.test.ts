import { expect, test } from "vitest";
import type { Results } from "../results.ts";
import { chartOf } from "./chart.ts";

const results: Results = {
  date: "2026-01-02T03:04:05.000Z",
  machine: { processor: "A & B", cores: 2, memoryGigabytes: 4, system: "linux", node: "v24" },
  versions: {},
  conditions: [],
  cases: [
    {
      name: "users",
      title: "`GET /v2/users`",
      about: "",
      unit: "requests/s",
      isHigherBetter: true,
      measurements: [
        { subject: "understudy", value: 500, rounds: [] },
        { subject: "bare", value: 1000, rounds: [] },
        { subject: "prism", value: 100, rounds: [] },
      ],
      absences: [{ subject: "specmatic", reason: "no Java" }],
    },
  ],
};

const bars = (svg: string) =>
  [...svg.matchAll(/<rect x="\d+" y="\d+" width="([\d.]+)"/g)].map(([, width]) => Number(width));

test("the longest bar fills its place, and the others are in proportion", () => {
  const [understudy, bare, prism, specmatic] = bars(chartOf(results));
  expect([understudy, prism, specmatic]).toEqual([(bare ?? 0) / 2, (bare ?? 0) / 10, 0]);
});

test("every bar has a name, a number and its ratio to the bare server's", () => {
  const svg = chartOf(results);
  expect(svg).toContain(">500 (0.50)</text>");
  expect(svg).toContain(">1,000</text>");
  expect(svg).toContain(">Specmatic</text>");
  expect(svg).toContain("GET /v2/users<tspan");
  expect(svg).toContain("requests/s, longer is better");
});

test("what has a meaning in XML is escaped", () => {
  expect(chartOf(results)).toContain("A &amp; B");
});
