import { expect, test, understudyTest } from "../../../src/entrypoints/testing/vitest.ts";

const headers = { Authorization: "Bearer any" };

test("asks for what is not there", async ({ understudy }) => {
  await fetch(`${understudy.ledgerUrl}/v2/userz`, { headers });
});

test("expects what is not so", async ({ understudy }) => {
  await fetch(`${understudy.ledgerUrl}/v2/users?pageSize=-1`, { headers });
  understudy.reset();
  await fetch(`${understudy.ledgerUrl}/v2/users?pageSize=-2`, { headers });
  expect(1).toBe(2);
});

test("closes its world and fails", async ({ understudy }) => {
  await understudy.close();
  expect(1).toBe(2);
});

test("expects a request that did not come", async ({ understudy }) => {
  await fetch(`${understudy.ledgerUrl}/v2/users?pageSize=1`, { headers });
  expect(understudy).toHaveReceived({ operation: "getV2Users", query: { pageSize: "2" } });
});

understudyTest({ onUnexpected: "ignore" })("asks for what is not there, and may", async ({ understudy }) => {
  await fetch(`${understudy.ledgerUrl}/v2/userz`, { headers });
});

const askWithMadeUpToken = (ledgerUrl: string) => fetch(`${ledgerUrl}/v2/users?pageToken=2`, { headers });

test("makes a page token up", async ({ understudy }) => {
  await askWithMadeUpToken(understudy.ledgerUrl);
});

understudyTest({ allow: ["page-tokens-from-pages"] })("makes a page token up, and may", async ({ understudy }) => {
  await askWithMadeUpToken(understudy.ledgerUrl);
});

understudyTest({ clientRules: "ignore" })("makes a page token up, and nobody looks", async ({ understudy }) => {
  await askWithMadeUpToken(understudy.ledgerUrl);
});
