import { expect, test, understudyTest } from "../../../src/entrypoints/testing/vitest.ts";

const headers = { Authorization: "Bearer any" };

test("requests an unknown path", async ({ understudy }) => {
  await fetch(`${understudy.ledgerUrl}/v2/userz`, { headers });
});

test("has a failing assertion", async ({ understudy }) => {
  await fetch(`${understudy.ledgerUrl}/v2/users?pageSize=-1`, { headers });
  understudy.reset();
  await fetch(`${understudy.ledgerUrl}/v2/users?pageSize=-2`, { headers });
  expect(1).toBe(2);
});

test("closes its world and fails", async ({ understudy }) => {
  await understudy.close();
  expect(1).toBe(2);
});

test("expects a request that was not sent", async ({ understudy }) => {
  await fetch(`${understudy.ledgerUrl}/v2/users?pageSize=1`, { headers });
  expect(understudy).toHaveReceived({ operation: "getV2Users", query: { pageSize: "2" } });
});

understudyTest({ onUnexpected: "ignore" })(
  "requests an unknown path with onUnexpected: ignore",
  async ({ understudy }) => {
    await fetch(`${understudy.ledgerUrl}/v2/userz`, { headers });
  },
);

const requestWithInventedToken = (ledgerUrl: string) => fetch(`${ledgerUrl}/v2/users?pageToken=2`, { headers });

test("invents a page token", async ({ understudy }) => {
  await requestWithInventedToken(understudy.ledgerUrl);
});

understudyTest({ allow: ["page-tokens-from-pages"] })("invents a page token with allow", async ({ understudy }) => {
  await requestWithInventedToken(understudy.ledgerUrl);
});

understudyTest({ clientRules: "ignore" })("invents a page token with clientRules: ignore", async ({ understudy }) => {
  await requestWithInventedToken(understudy.ledgerUrl);
});

test("injects a fault that no request meets", ({ understudy }) => {
  understudy.fault("getV2Users", { status: 503 });
});

const attempts = { count: 0 };

test("fails, and requests an unknown path when it is tried again", { retry: 1 }, async ({ understudy }) => {
  attempts.count += 1;
  if (attempts.count === 1) throw new Error("the first attempt");
  await fetch(`${understudy.ledgerUrl}/v2/userz`, { headers });
});
