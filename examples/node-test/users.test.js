import assert from "node:assert/strict";
import { assertConforms, assertReceived, understudyTest } from "canton-understudy/node-test";
import { listUsers } from "./users.js";

const test = understudyTest({ profile: "canton-3.6" });

test("lists all users, page by page", async ({ understudy }) => {
  const users = await listUsers(understudy.ledgerUrl, "any");
  assert.ok(users.some(({ id }) => id === "alice"));
  assertReceived(understudy, { operation: "getV2Users", query: { pageToken: "" }, times: 1 });
  await assertConforms(understudy);
});

test("shows the error of the ledger when it is down", async ({ understudy }) => {
  understudy.fault("getV2Users", { instead: { error: "SERVICE_NOT_RUNNING" }, nth: 2 });
  await assert.rejects(listUsers(understudy.ledgerUrl, "any"), /SERVICE_NOT_RUNNING/);
});
