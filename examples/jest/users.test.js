import { useUnderstudy } from "canton-understudy/jest";
import { listUsers } from "./users.js";

const stage = useUnderstudy({ profile: "canton-3.6" });

test("lists all users, page by page", async () => {
  const users = await listUsers(stage.understudy.ledgerUrl, "any");
  expect(users.map(({ id }) => id)).toContain("alice");
  expect(stage.understudy).toHaveReceived({ operation: "getV2Users", query: { pageToken: "" }, times: 1 });
  await expect(stage.understudy).toConform();
});

test("shows the error of the ledger when it is down", async () => {
  stage.understudy.fault("getV2Users", { instead: { error: "SERVICE_NOT_RUNNING" }, nth: 2 });
  await expect(listUsers(stage.understudy.ledgerUrl, "any")).rejects.toThrow("SERVICE_NOT_RUNNING");
});

test("has its own world with an empty journal", () => {
  expect(stage.understudy.journal).toHaveLength(0);
});
