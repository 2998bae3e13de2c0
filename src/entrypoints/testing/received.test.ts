import { expect, test } from "vitest";
import { createUnderstudy } from "../library/start-understudy.ts";
import { type ExpectedRequest, toHaveReceived } from "./received.ts";
import { timeline } from "./timeline.ts";

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

test("what was not received is told with the nearest request and how it differs", () => {
  const expected = {
    operation: "postV2Users",
    body: { user: { id: "ulla", primaryParty: expect.any(String) } },
  } as const;
  expect(toHaveReceived(understudy, expected).message()).toBe(`expected the stub to have received at least once
        operation: "postV2Users"
        body: {"user":{"id":"ulla","primaryParty":"Any<String>"}}
It received no such request.
The nearest is
   2  00:05:00.000  POST /v2/users  200
        body at /user/id: expected "ulla", was "ursula"`);
  const none = toHaveReceived(understudy, { path: "/v2/idps", body: [expect.any(Number), /x/, 12345678901234567890n] });
  expect(none.message()).toContain('body: ["Any<Number>","/x/","12345678901234567890"]');
});

test("requests that were received too often or against expectation are listed", () => {
  const twice = toHaveReceived(understudy, { operation: "postV2Users", times: 1 }).message();
  expect(twice).toContain(`to have received once
        operation: "postV2Users"
It received 2 of them.
   2  00:05:00.000  POST /v2/users  200
   3  00:05:00.000  POST /v2/users  400`);
  const against = toHaveReceived(understudy, { status: 400 }).message();
  expect(against).toContain("expected the stub not to have received at least once");
});

test("secrets are compared and not shown", () => {
  const { pass, message } = toHaveReceived(understudy, { headers: { authorization: "Bearer other" } });
  expect(pass).toBe(false);
  expect(message()).toContain("header authorization: expected another value, was [redacted]");
  expect(message()).not.toContain("a-secret-token");
  expect(timeline(understudy.journal)).not.toContain("a-secret-token");
});

const token = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbGljZSJ9.c2lnbmVk";

test("tokens and signatures stand in no message and no timeline, wherever they were sent", async () => {
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
  [{ operaton: "getV2Users" }, 'an expected request has no member "operaton". Did you mean "operation"?'],
  [{ operation: "getV2User" }, 'there is no operation "getV2User". Did you mean "getV2Users"?'],
])("%j is told to be misspelt, whether it is expected or not", (expected, message) => {
  // As a program without types gives them.
  expect(() => Reflect.apply(toHaveReceived, undefined, [understudy, expected])).toThrow(message);
});

test("nothing received is said to be nothing", () => {
  const silent = createUnderstudy();
  expect(toHaveReceived(silent, { status: 200 }).message()).toContain("It received no such request.");
  expect(timeline(silent.journal)).toBe("Understudy was asked nothing.");
});

test("a timeline shows the newest fifty, and what was sent and came where a request was refused", async () => {
  const world = createUnderstudy();
  for (let count = 0; count < 51; count += 1) await world.fetch(`/v2/users?pageSize=${count}`, { headers });
  world.clock.advance("PT1M");
  world.fault("getV2Users", { instead: { reset: true } });
  await expect(world.fetch("/v2/users", { headers })).rejects.toThrow("reset");
  await world.fetch("/v2/userz", { method: "POST", headers, body: '{ "a":  1 }' });
  const lines = timeline(world.journal).split("\n");
  expect(lines.slice(0, 3)).toEqual([
    "Understudy was asked 53 times:",
    "  … 3 before",
    "   4  00:05:00.000  GET /v2/users?pageSize=3  200",
  ]);
  expect(lines.slice(-4)).toEqual([
    "  52  00:06:00.000  GET /v2/users  (reset)",
    "  53  00:06:00.000  POST /v2/userz  404  unexpected: there is no such path",
    '        sent  { "a": 1 }',
    expect.stringMatching(/^ {8}came {2}\{"errors":/),
  ]);
});
