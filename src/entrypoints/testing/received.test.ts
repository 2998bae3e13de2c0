import { expect, test } from "vitest";
import { timeline } from "../../stub/journal/timeline.ts";
import { createUnderstudy } from "../library/start-understudy.ts";
import { type ExpectedRequest, toHaveReceived } from "./received.ts";

const understudy = createUnderstudy({ profile: "canton-3.5" });
const headers = { Authorization: "Bearer a-secret-token", "Content-Type": "application/json" };
const user = { id: "ursula", primaryParty: "", isDeactivated: false, identityProviderId: "" };
await understudy.fetch("/v2/users?pageSize=10", { headers });
await understudy.fetch("/v2/users", { method: "POST", headers, body: JSON.stringify({ user, rights: [] }) });
await understudy.fetch("/v2/users", { method: "POST", headers, body: "{" });

test.each<readonly [ExpectedRequest, boolean]>([
  [{ operation: "getV2Users" }, true],
  [{ operation: "getV2Users", times: 1 }, true],
  [{ operation: "getV2Users", times: 2 }, false],
  [{ operation: "getV2Idps", times: 0 }, true],
  [{ operation: "getV2Idps" }, false],
  [{ method: "post", path: "/v2/users", times: 2 }, true],
  [{ path: /^\/v2\/us/, times: 3 }, true],
  [{ query: { pageSize: "10" } }, true],
  [{ query: { pageSize: expect.stringMatching(/^\d+$/) } }, true],
  [{ query: { pageSize: "1" } }, false],
  [{ body: { user: { id: "ursula" } } }, true],
  [{ body: { user: { id: /^urs/ }, rights: [] } }, true],
  [{ body: { rights: [{}] } }, false],
  [{ body: { user: { id: "ursula", more: 1 } } }, false],
  [{ body: "{" }, true],
  [{ headers: { AUTHORIZATION: /^Bearer / }, status: 200 }, true],
  [{ headers: { "x-none": /./ } }, false],
  [{ status: 400 }, true],
])("%j has been received: %s", (expected, isReceived) => {
  expect(toHaveReceived(understudy, expected).pass).toBe(isReceived);
});

test("the message shows the nearest request and how it differs", () => {
  const expected = {
    operation: "postV2Users",
    body: { user: { id: "ulla", primaryParty: expect.any(String) } },
  } as const;
  expect(toHaveReceived(understudy, expected).message()).toBe(`expected the stub to receive at least 1 request with
        operation: "postV2Users"
        body: {"user":{"id":"ulla","primaryParty":"Any<String>"}}
It received none.
The nearest request is
   2  2026-01-01 00:05:00.000  POST /v2/users  200
        body at /user/id: expected "ulla", actual "ursula"`);
  const none = toHaveReceived(understudy, { path: "/v2/idps", body: [expect.any(Number), /x/, 12345678901234567890n] });
  expect(none.message()).toContain('body: ["Any<Number>","/x/","12345678901234567890"]');
});

test("the message lists requests received too often or against expectation", () => {
  const twice = toHaveReceived(understudy, { operation: "postV2Users", times: 1 }).message();
  expect(twice).toContain(`to receive 1 request with
        operation: "postV2Users"
It received 2:
   2  2026-01-01 00:05:00.000  POST /v2/users  200
   3  2026-01-01 00:05:00.000  POST /v2/users  400
        reason    Invalid value for: body (exhausted input)`);
  const against = toHaveReceived(understudy, { status: 400 }).message();
  expect(against).toContain("expected the stub to receive no request with");
});

test("secret headers are compared but not shown", () => {
  const { pass, message } = toHaveReceived(understudy, { headers: { authorization: "Bearer other" } });
  expect(pass).toBe(false);
  expect(message()).toContain("header authorization: expected another value, actual [redacted]");
  expect(message()).not.toContain("a-secret-token");
  expect(timeline(understudy.journal)).not.toContain("a-secret-token");
});

const token = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbGljZSJ9.c2lnbmVk";

test("messages and timelines contain no tokens and signatures", async () => {
  const world = createUnderstudy();
  await world.fetch(`/v2/users?access_token=opaque-secret`, { headers });
  const body = JSON.stringify({ token: "opaque-secret", text: token, signatures: [{ signature: "c2VjcmV0" }] });
  await world.fetch("/v2/users", { method: "POST", headers, body });
  const shown = [
    timeline(world.journal),
    toHaveReceived(world, { headers: { Authorization: `Bearer ${token}` } }).message(),
    toHaveReceived(world, { query: { access_token: "another-secret" } }).message(),
    toHaveReceived(world, { body: { token: "x", text: "y", signatures: [{ signature: "z" }] } }).message(),
  ].join("\n");
  expect(shown).toContain("GET /v2/users?access_token=[redacted]");
  expect(shown).toContain("body at /token: expected");
  expect(shown).not.toMatch(/opaque-secret|another-secret|eyJzdWI|c2VjcmV0|a-secret-token/);
});

test.each([
  [{ operaton: "getV2Users" }, 'unknown member "operaton" of an expected request. Did you mean "operation"?'],
  ["getV2Users", 'expected an object such as { operation: "getV2Users" }, received "getV2Users"'],
  [{ operation: "getV2User" }, 'unknown operation "getV2User". Did you mean "getV2Users"?'],
])("refuses the misspelt %j", (expected, message) => {
  // As a program without types passes them.
  expect(() => Reflect.apply(toHaveReceived, undefined, [understudy, expected])).toThrow(message);
});

test("an empty journal has no nearest request", () => {
  expect(toHaveReceived(createUnderstudy(), { status: 200 }).message()).toContain("It received none.");
});

test("a timeline shows the newest fifty exchanges, and both bodies of a refused request", async () => {
  const world = createUnderstudy();
  for (let count = 0; count < 51; count += 1) await world.fetch(`/v2/users?pageSize=${count}`, { headers });
  world.clock.advance("PT1M");
  world.fault("getV2Users", { instead: { reset: true } });
  await expect(world.fetch("/v2/users", { headers })).rejects.toThrow("reset");
  await world.fetch("/v2/userz", { method: "POST", headers, body: '{ "a":  1 }' });
  const lines = timeline(world.journal).split("\n");
  expect(lines.slice(0, 3)).toEqual([
    "Understudy received 53 requests:",
    "  … 3 earlier",
    "   4  2026-01-01 00:05:00.000  GET /v2/users?pageSize=3  200",
  ]);
  expect(lines.slice(-5)).toEqual([
    "  52  2026-01-01 00:06:00.000  GET /v2/users  (reset)",
    "        reason    planned reset",
    "  53  2026-01-01 00:06:00.000  POST /v2/userz  404  unexpected: unknown path /v2/userz; did you mean /v2/users?",
    '        request   { "a": 1 }',
    expect.stringMatching(/^ {8}response {2}\{"errors":/),
  ]);
});
