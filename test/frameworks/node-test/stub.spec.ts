import { assertConforms, assertReceived, understudyTest } from "../../../src/entrypoints/testing/node-test.ts";

const test = understudyTest({ profile: "canton-3.5" });
const headers = { Authorization: "Bearer any" };

test("conforms to the spec", async ({ understudy }) => {
  const response = await fetch(`${understudy.ledgerUrl}/v2/users`, { headers });
  await assertConforms(response);
  assertReceived(understudy, { operation: "getV2Users", times: 1 });
});

test("has its own world", async ({ understudy, t }) => {
  t.assert.equal(understudy.journal.length, 0);
});

test("requests an unknown path", async ({ understudy }) => {
  await fetch(`${understudy.ledgerUrl}/v2/userz`, { headers });
});

test("expects a request that was not sent", async ({ understudy }) => {
  assertReceived(understudy, { operation: "getV2Idps" });
});

test("has a time limit", async ({ understudy }) => {
  await fetch(`${understudy.ledgerUrl}/v2/users`, { headers });
  const limit = AbortSignal.timeout(1);
  await new Promise((resolve) => limit.addEventListener("abort", resolve));
  limit.throwIfAborted();
});

test("throws a text", async ({ understudy }) => {
  await fetch(`${understudy.ledgerUrl}/v2/users`, { headers });
  throw "a text";
});
