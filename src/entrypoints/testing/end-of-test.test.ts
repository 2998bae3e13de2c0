import { expect, test } from "vitest";
import { createUnderstudy } from "../library/start-understudy.ts";
import { endOfTest, optionsApart } from "./end-of-test.ts";

const headers = { Authorization: "Bearer any" };

test.each<readonly [object, string]>([
  [{ onUnexpected: "fial" }, 'onUnexpected cannot be "fial". Did you mean "fail"?'],
  [{ clientRules: "error" }, 'conduct cannot be "error". Did you mean "errors"?'],
  [{ clientRules: null }, "conduct cannot be null. Known are: errors, warnings, ignore."],
  [{ allow: "page-tokens-from-pages" }, 'allow is "page-tokens-from-pages"; give a list'],
  [{ allow: ["page-tokens"] }, 'there is no client rule "page-tokens"'],
])("refuses %j", (options, message) => {
  expect(() => optionsApart(options)).toThrow(message);
});

test("settings of the stub and of its tests are told apart", () => {
  expect(optionsApart({ profile: "canton-3.5", clientRules: "warnings" })).toEqual({
    started: { profile: "canton-3.5" },
    ending: { onUnexpected: "fail", clientRules: "warnings", allow: [] },
  });
});

test("a rule that is broken several times is told once, with how often", async () => {
  const understudy = createUnderstudy();
  for (const token of ["2", "3", "4"]) await understudy.fetch(`/v2/users?pageToken=${token}`, { headers });
  const { problems = "" } = endOfTest(understudy, optionsApart({}).ending);
  expect(problems.split("\n").slice(0, 3)).toEqual([
    "The application breaks a client rule:",
    "  page-tokens-from-pages, 3 times, first by",
    "   1  00:05:00.000  GET /v2/users?pageToken=2  400",
  ]);
});
