import { expect, test } from "vitest";
import { createUnderstudy } from "../library/start-understudy.ts";
import { endOfTest, splitOptions } from "./end-of-test.ts";

const headers = { Authorization: "Bearer any" };

test.each<readonly [object, string]>([
  [{ onUnexpected: "fial" }, 'option onUnexpected: unknown value "fial". Did you mean "fail"?'],
  [{ clientRules: "error" }, 'option clientRules: unknown value "error". Did you mean "errors"?'],
  [{ clientRules: null }, "option clientRules: unknown value null. Known names: errors, warnings, ignore."],
  [{ allow: "page-tokens-from-pages" }, 'option allow: "page-tokens-from-pages" is not a list.'],
  [{ allow: ["page-tokens"] }, 'option allow: unknown client rule "page-tokens"'],
])("refuses %j", (options, message) => {
  expect(() => splitOptions(options)).toThrow(message);
});

test("splits the options of the stub from those of the test", () => {
  expect(splitOptions({ profile: "canton-3.5", clientRules: "warnings" })).toEqual({
    stubOptions: { profile: "canton-3.5" },
    endOptions: { onUnexpected: "fail", clientRules: "warnings", allow: [] },
  });
});

test("a rule broken several times is listed once, with the count", async () => {
  const understudy = createUnderstudy();
  for (const token of ["2", "3", "4"]) await understudy.fetch(`/v2/users?pageToken=${token}`, { headers });
  const { problems = "" } = endOfTest(understudy, splitOptions({}).endOptions);
  expect(problems.split("\n").slice(0, 3)).toEqual([
    "The application breaks 1 client rule:",
    "  page-tokens-from-pages, 3 times, first in",
    "   1  00:05:00.000  GET /v2/users?pageToken=2  400",
  ]);
});
