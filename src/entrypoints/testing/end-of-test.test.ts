import { expect, test } from "vitest";
import type { ClientRuleId } from "../../checker/client-rules/generated/client-rule-ids.ts";
import { endOfTest } from "../../stub/control/end-of-test.ts";
import { createUnderstudy } from "../library/start-understudy.ts";
import { addToError, splitOptions } from "./end-of-test.ts";
import { toHaveReceived } from "./received.ts";

const headers = { Authorization: "Bearer any" };

test.each<readonly [object, string]>([
  [{ onUnexpected: "fial" }, 'option onUnexpected: unknown value "fial". Did you mean "fail"?'],
  [{ clientRules: "error" }, 'option clientRules: unknown value "error". Did you mean "errors"?'],
  [{ clientRules: null }, "option clientRules: unknown value null. Use errors, warnings or ignore."],
  [{ allow: "page-tokens-from-pages" }, 'option allow: "page-tokens-from-pages" is not a list.'],
  [{ allow: ["page-tokens"] }, 'option allow: unknown client rule "page-tokens"'],
  [{ allowUnused: "yes" }, 'option allowUnused: "yes" is not a boolean. Use true or false.'],
])("refuses %j", (options, message) => {
  expect(() => splitOptions(options)).toThrow(message);
});

test("splits the options of the stub from those of the test", () => {
  expect(splitOptions({ profile: "canton-3.5", clientRules: "warnings" })).toEqual({
    stubOptions: { profile: "canton-3.5" },
    endOptions: { onUnexpected: "fail", clientRules: "warnings", allow: [], allowUnused: false },
  });
});

test("a rule broken several times is listed once, with the count", async () => {
  const understudy = createUnderstudy();
  for (const token of ["2", "3", "4"]) await understudy.fetch(`/v2/users?pageToken=${token}`, { headers });
  const { problems = "" } = endOfTest(understudy, splitOptions({}).endOptions);
  expect(problems.split("\n").slice(0, 3)).toEqual([
    "The application breaks 1 client rule:",
    "  page-tokens-from-pages, 3 times, first in",
    "   1  2026-01-01 00:05:00.000  GET /v2/users?pageToken=2  400",
  ]);
});

test.each<readonly [string, ClientRuleId, RequestInit, number]>([
  ["a refused grant without members", "required-members-sent", { method: "POST", headers, body: "{}" }, 400],
  ["a refused request without a token", "token-in-header", { method: "POST", body: '{"userId":"alice"}' }, 401],
])("%s fails the test, unless its rule is allowed", async (_name, rule, request, status) => {
  const understudy = createUnderstudy();
  expect((await understudy.fetch("/v2/users/alice/rights", request)).status).toBe(status);
  expect(endOfTest(understudy, splitOptions({}).endOptions).problems).toContain(`client rule:\n  ${rule}\n`);
  expect(endOfTest(understudy, splitOptions({ allow: [rule] }).endOptions).problems).toBeUndefined();
});

test("a planned response that no request received fails the test, unless allowUnused", async () => {
  const understudy = createUnderstudy();
  understudy.fault("getV2Users", { status: 503, nth: 2 });
  await understudy.fetch("/v2/users", { headers });
  expect(endOfTest(understudy, splitOptions({}).endOptions).problems).toBe(
    [
      "The test did not use a planned response:",
      "  getV2Users: planned for call 2, received 1 matching call",
      "  Send the request, remove the plan, or set the option allowUnused: true.",
    ].join("\n"),
  );
  expect(endOfTest(understudy, splitOptions({ allowUnused: true }).endOptions).problems).toBeUndefined();
  expect((await understudy.fetch("/v2/users", { headers })).status).toBe(503);
  expect(endOfTest(understudy, splitOptions({}).endOptions).problems).toBeUndefined();
});

test("of two responses for the same call the older one is unused", async () => {
  const understudy = createUnderstudy();
  understudy.fault("getV2Users", { status: 503 });
  understudy.fault("getV2Users", { status: 429 });
  expect((await understudy.fetch("/v2/users", { headers })).status).toBe(429);
  expect(endOfTest(understudy, splitOptions({}).endOptions).problems).toContain(
    "The test did not use a planned response:\n  getV2Users: planned for call 1, another planned response was given instead\n",
  );
});

test("an error gets the problems and the timeline into its message and its stack", async () => {
  const understudy = createUnderstudy();
  await understudy.fetch("/v2/userz", { headers });
  const error = new Error("expected 1 to be 2");
  addToError(error, endOfTest(understudy, splitOptions({}).endOptions));
  expect(error.message).toMatch(
    /^expected 1 to be 2\n\nThe test sent 1 unexpected request:\n.*\n\nUnderstudy received 1 request:\n/,
  );
  expect(error.stack).toContain(`Error: ${error.message}\n    at `);
});

test("a timeline that the error shows already is not added", async () => {
  const understudy = createUnderstudy();
  await understudy.fetch("/v2/users", { headers });
  const error = new Error(toHaveReceived(understudy, { operation: "getV2Users", times: 2 }).message());
  addToError(error, endOfTest(understudy, splitOptions({}).endOptions));
  expect(error.message.match(/GET \/v2\/users/g)).toHaveLength(1);
});

test("an error without a message gets them behind its name", async () => {
  const understudy = createUnderstudy();
  await understudy.fetch("/v2/users", { headers });
  const error = new TypeError();
  addToError(error, endOfTest(understudy, splitOptions({}).endOptions));
  expect(error.stack).toMatch(/^TypeError: Understudy received 1 request:\n/);
});

test("an error whose message has no setter gets them too, and a frozen one stays as it is", async () => {
  const understudy = createUnderstudy();
  await understudy.fetch("/v2/userz", { headers });
  const ended = endOfTest(understudy, splitOptions({}).endOptions);
  const timedOut = new DOMException("The operation timed out", "TimeoutError");
  expect(addToError(timedOut, ended)).toBe(true);
  expect(timedOut.message).toMatch(/^The operation timed out\n\nThe test sent 1 unexpected request:\n/);
  expect(timedOut.stack).toContain(`TimeoutError: ${timedOut.message}\n`);
  const frozen = Object.freeze(new Error("frozen"));
  expect([addToError(frozen, ended), frozen.message]).toEqual([false, "frozen"]);
});

test("a test without requests has no timeline", () => {
  const understudy = createUnderstudy();
  expect(endOfTest(understudy, splitOptions({}).endOptions)).toEqual({ problems: undefined, timeline: undefined });
});
