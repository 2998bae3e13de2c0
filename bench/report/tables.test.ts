import { expect, test } from "vitest";
import type { CaseResult } from "../results.ts";
import {
  asMarkdown,
  asText,
  Footnotes,
  isOfServers,
  otherTable,
  processorTable,
  serverTable,
  targetTable,
} from "./tables.ts";

const users: CaseResult = {
  name: "users",
  title: "`GET /v2/users`",
  about: "a page",
  unit: "requests/s",
  isHigherBetter: true,
  measurements: [
    { subject: "understudy", value: 15_000.4, rounds: [], cpuMicros: 60.26 },
    { subject: "bare", value: 20_000, rounds: [], cpuMicros: 50 },
    { subject: "prism", value: 9.876, rounds: [], cpuMicros: 700, note: "does not refuse" },
  ],
  absences: [{ subject: "wiremock", reason: "no Java" }],
};

const checker: CaseResult = {
  ...users,
  name: "check",
  title: "check",
  unit: "exchanges/s",
  measurements: [
    { subject: "JSON.parse", value: 100, rounds: [] },
    { subject: "one core", value: 60, rounds: [] },
  ],
  absences: [{ subject: "other reader", reason: "not installed" }],
};

test("servers are columns, and a missing value has a reason", () => {
  const footnotes = new Footnotes();
  expect(serverTable([users], footnotes)).toEqual([
    ["", "Understudy", "bare node:http", "Prism", "WireMock"],
    ["`GET /v2/users`, requests/s", "15,000", "20,000", "9.88 [1]", "– [2]"],
  ]);
  expect(footnotes.texts).toEqual(["Does not refuse.", "No Java."]);
});

test("a reason that two cases share has one footnote", () => {
  const footnotes = new Footnotes();
  serverTable([users, { ...users, title: "again" }], footnotes);
  expect(footnotes.texts).toHaveLength(2);
});

test("processor time has its own table if it was measured", () => {
  expect(processorTable([users])[1]).toEqual(["`GET /v2/users`", "60.3", "50", "700"]);
  expect(processorTable([checker])).toEqual([]);
});

test("a result that is not of a server has a row for each value", () => {
  expect([users, checker].map(isOfServers)).toEqual([true, false]);
  expect(otherTable([checker], new Footnotes()).slice(1)).toEqual([
    ["check", "JSON.parse", "100 exchanges/s"],
    ["check", "one core", "60 exchanges/s"],
    ["check", "other reader", "– [1]"],
  ]);
});

test("targets say what was found, by the clock and by the processor, and what was not measured", () => {
  expect(targetTable({ cases: [users, checker] }).slice(1)).toEqual([
    ["`GET /v2/users`", "≥ 0.75 × bare node:http", "0.75", "0.83", "met"],
    ["`GET /v2/users`", "≥ 8 × WireMock", "–", "", "not measured"],
    ["`GET /v2/users`", "≥ 20 × Prism", "1519", "11.6", "met"],
    ["check, one core", "≥ 0.5 × JSON.parse", "0.60", "", "met"],
  ]);
});

test("a table is written for pages and for terminals", () => {
  const table = [
    ["", "A|B"],
    ["`x`", "1,000"],
  ];
  expect(asMarkdown(table)).toBe("|  | A\\|B |\n| --- | ---: |\n| `x` | 1,000 |");
  expect(asText(table)).toBe("     A|B\nx  1,000");
});
