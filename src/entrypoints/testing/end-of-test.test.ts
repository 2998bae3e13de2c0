import { expect, test } from "vitest";
import { createUnderstudy } from "../library/start-understudy.ts";
import { endOfTest, settingsApart } from "./end-of-test.ts";

const headers = { Authorization: "Bearer any" };

test.each<readonly [object, string]>([
  [{ onUnexpected: "fial" }, 'onUnexpected cannot be "fial". Did you mean "fail"?'],
  [{ conduct: "error" }, 'conduct cannot be "error". Did you mean "errors"?'],
  [{ conduct: null }, "conduct cannot be null. Known are: errors, warnings, ignore."],
  [{ allow: "page-tokens-from-pages" }, 'allow is "page-tokens-from-pages"; give a list'],
  [{ allow: ["page-tokens"] }, 'there is no conduct rule "page-tokens"'],
])("refuses %j", (settings, message) => {
  expect(() => settingsApart(settings)).toThrow(message);
});

test("settings of the stand-in and of its tests are told apart", () => {
  expect(settingsApart({ profile: "canton-3.5", conduct: "warnings" })).toEqual({
    started: { profile: "canton-3.5" },
    ending: { onUnexpected: "fail", conduct: "warnings", allow: [] },
  });
});

test("a rule that is broken several times is told once, with how often", async () => {
  const understudy = createUnderstudy();
  for (const token of ["2", "3", "4"]) await understudy.fetch(`/v2/users?pageToken=${token}`, { headers });
  const { problems = "" } = endOfTest(understudy, settingsApart({}).ending);
  expect(problems.split("\n").slice(0, 3)).toEqual([
    "The application breaks a conduct rule:",
    "  page-tokens-from-pages, 3 times, first by",
    "   1  00:05:00.000  GET /v2/users?pageToken=2  400",
  ]);
});
