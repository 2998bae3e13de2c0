import { expect, test } from "vitest";
import { quickEffort } from "./plan.ts";
import { figureTable, pageWith, report, shown, targetTable } from "./report.ts";
import type { Row } from "./rows.ts";

const users: Row = {
  name: "users",
  title: "`GET /v2/users`",
  unit: "µs",
  values: new Map([
    ["understudy", [30.04, 29, 31]],
    ["reference", [20]],
    ["prism", []],
  ]),
};
const peers: Row = { ...users, name: "users-rate", unit: "requests/s", values: new Map([["wiremock", [1234.5]]]) };

test("a column for each subject that was measured, and medians in the cells", () => {
  expect(figureTable([users, peers])).toEqual([
    ["", "Understudy", "reference", "WireMock"],
    ["`GET /v2/users`, µs", "30", "20", "–"],
    ["`GET /v2/users`, requests/s", "–", "–", "1,235"],
  ]);
});

test("targets have the other checkout if it was measured", () => {
  expect(targetTable([users]).slice(1)).toEqual([["`GET /v2/users`", "≤ 1.5 × reference", "1.5", "not met"]]);
  const both = { ...users, values: new Map(users.values).set("before", [40]).set("understudy", [28]) };
  expect(targetTable([both]).slice(1)).toEqual([["`GET /v2/users`", "≤ 1.5 × reference", "2", "1.4", "met"]]);
});

test("numbers have three digits", () => {
  expect([0.123_4, 1.239, 12.39, 123.9, 12_345.6, Number.NaN].map(shown)).toEqual([
    "0.12",
    "1.24",
    "12.4",
    "124",
    "12,346",
    "–",
  ]);
});

test("the report has remarks below its tables", () => {
  expect(report([users], ["prism did not start"], quickEffort)).toMatch(
    /3 rounds of 1 s[\s\S]*0 of 1 targets[\s\S]*\n- prism did not start$/,
  );
});

test("the tables replace the text between the markers and nothing else", () => {
  const page = "# A\n<!-- bench:begin -->\nold\n<!-- bench:end -->\nB\n";
  expect(pageWith(page, "new")).toBe("# A\n<!-- bench:begin -->\nnew\n<!-- bench:end -->\nB\n");
  expect(() => pageWith("# A\n", "new")).toThrow("the page has no <!-- bench:begin -->");
});
