import { expect, test } from "vitest";
import { toHaveReceived } from "../../src/entrypoints/testing/received.ts";
import { createUnderstudy } from "../../src/index.ts";
import { timeline } from "../../src/stub/journal/timeline.ts";

const headers = { Authorization: "Bearer any", "Content-Type": "application/json" };
const release = { profile: "canton-3.5" } as const;

test.each([
  ["a missing token", {}, "UNAUTHENTICATED: Missing bearer token"],
  [
    "a token that is not a JWT",
    { Authorization: "Bearer any" },
    "UNAUTHENTICATED: Invalid bearer token: it is not a JWT",
  ],
])("a timeline and a matcher show the reason that a node hides: %s", async (_name, sent, reason) => {
  const understudy = createUnderstudy({ ...release, auth: "jwt" });
  const response = await understudy.fetch("/v2/users", { headers: sent });
  expect(await response.text()).toContain("A security-sensitive error has been received");
  expect(timeline(understudy.journal)).toContain(`  401\n        reason    ${reason}`);
  expect(toHaveReceived(understudy, { status: 200 }).message()).toContain(`  401\n        reason    ${reason}`);
});

test("a timeline shows the reason of a 403", async () => {
  const understudy = createUnderstudy({ ...release, auth: "user" });
  await understudy.fetch("/v2/users", { headers: { Authorization: "Bearer alice" } });
  expect(timeline(understudy.journal)).toMatch(
    / {2}403\n {8}reason {4}PERMISSION_DENIED: The rights of the user alice/,
  );
});

test("a timeline shows the days of virtual time, and a plain text once", async () => {
  const understudy = createUnderstudy(release);
  await understudy.fetch("/v2/users?pageSize=x", { headers });
  understudy.clock.advance("PT24H");
  await understudy.fetch("/v2/users", { headers });
  expect(timeline(understudy.journal).split("\n")).toEqual([
    "Understudy received 2 requests:",
    "   1  2026-01-01 00:05:00.000  GET /v2/users?pageSize=x  400",
    '        reason    Invalid value for: query parameter pageSize: "x" is not an integer of 32 bits',
    "   2  2026-01-02 00:05:00.000  GET /v2/users  200",
  ]);
});

test("a timeline cuts the middle of a long body, so that its end stays", async () => {
  const understudy = createUnderstudy(release);
  const userId = "u".repeat(120);
  const body = JSON.stringify({ first: 1, userId, rights: [{ kind: "x".repeat(400) }], last: 2 });
  await understudy.fetch("/v2/users/alice/rights", { method: "POST", headers, body });
  const line = timeline(understudy.journal)
    .split("\n")
    .find((each) => each.includes("request "));
  expect(line).toMatch(/^ {8}request {3}\{"first":1.*… \(\d+ characters\) ….*"last":2\}$/);
  expect(line?.length).toBeLessThan(350);
});

test.each([
  [{ instead: { reset: true } }, "(reset)", "planned reset"],
  [{ after: { reset: true } }, "(reset)", "planned reset; the request took effect"],
  [{ instead: { timeout: true } }, "(timed-out)", "planned time-out"],
  [{ instead: { error: "SERVICE_NOT_RUNNING" } }, "503", "Planned response of the scenario: SERVICE_NOT_RUNNING"],
  [{ after: { status: 503 } }, "503", "Planned response of the scenario: SERVICE_NOT_RUNNING; the request took effect"],
  [{ instead: { status: 200, body: { users: [] } } }, "200", "planned response"],
] as const)("a timeline marks what the plan decided: %j", async (fault, status, reason) => {
  const understudy = createUnderstudy(release);
  understudy.fault("postV2Users", fault);
  const user = { id: "ursula", primaryParty: "", isDeactivated: false, identityProviderId: "" };
  const init = {
    method: "POST",
    headers,
    body: JSON.stringify({ user, rights: [] }),
    signal: AbortSignal.timeout(2000),
  };
  await understudy.fetch("/v2/users", init).catch(() => undefined);
  const [, line = "", because = ""] = timeline(understudy.journal).split("\n");
  expect([line.endsWith(`  ${status}`), because]).toEqual([true, expect.stringContaining(reason)]);
});

const refusals: readonly (readonly [name: string, path: string, init: RequestInit])[] = [
  ["an unknown path", "/v2/userz", { headers }],
  ["a wrong method", "/v2/users", { method: "PUT", headers }],
  ["a path of a WebSocket", "/v2/updates", { headers }],
  ["a foreign media type", "/v2/users", { headers: { ...headers, Accept: "text/html" } }],
  ["an unknown user", "/v2/users/nobody", { headers }],
  ["a long target", `/v2/users?x=${"y".repeat(3000)}`, { headers }],
  ["a body that is not JSON", "/v2/users", { method: "POST", headers, body: "{" }],
  ["a lookup without a body", "/registry/transfer-instruction/v1/transfer-factory", { method: "POST" }],
  ["a registry's unknown instrument", "/registry/metadata/v1/instruments/none", {}],
];

test.each(refusals)("each refusal has its reason in the timeline: %s", async (_name, path, init) => {
  for (const profile of ["spec", "canton-3.5", "canton-3.6"] as const) {
    const understudy = createUnderstudy({ profile });
    const { status } = await understudy.fetch(path, init);
    if (status < 400) continue;
    expect(timeline(understudy.journal)).toMatch(/ {2}(unexpected:|\n? {6}reason {4}) *\S/);
  }
});
