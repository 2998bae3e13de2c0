import { expect, test, understudyTest } from "canton-understudy/vitest";
import { listUsers } from "./users.js";

test("lists all users, page by page", async ({ understudy }) => {
  const users = await listUsers(understudy.ledgerUrl, "any");
  expect(users.map(({ id }) => id)).toContain("alice");
  expect(understudy).toHaveReceived({ operation: "getV2Users", query: { pageToken: "" }, times: 1 });
});

test("shows the error of the ledger when it is down", async ({ understudy }) => {
  understudy.fault("getV2Users", { instead: { error: "SERVICE_NOT_RUNNING" }, nth: 2 });
  await expect(listUsers(understudy.ledgerUrl, "any")).rejects.toThrow("SERVICE_NOT_RUNNING");
});

understudyTest({ scenario: "ledger-of-mine.arazzo.yaml" })("lists the users of a custom ledger", async ({
  understudy,
}) => {
  const users = await listUsers(understudy.ledgerUrl, "any");
  expect(users.map(({ id }) => id)).toEqual(["olga"]);
});
