import { expect, onTestFinished, test } from "vitest";
import { createUnderstudy, startUnderstudy } from "../../src/index.ts";

const headers = { Authorization: "Bearer any" };
const rights = { kind: { ParticipantAdmin: { value: {} } } };
const granted = async (understudy: ReturnType<typeof createUnderstudy>) => {
  const body = JSON.stringify({ userId: "alice", rights: [rights] });
  const answer = await understudy.fetch("/v2/users/alice/rights", { method: "POST", headers, body });
  return JSON.parse(await answer.text()).newlyGrantedRights.length;
};

test("forks the world as it is; neither sees what happens to the other", async () => {
  const understudy = createUnderstudy();
  expect(await granted(understudy)).toBe(1);
  const fork = understudy.fork();
  expect(fork.ledgerUrl).toBe(`${understudy.ledgerUrl}/w/fork-1`);
  expect(await granted(fork)).toBe(0);
  understudy.advance("PT1M");
  expect(understudy.now.getTime() - fork.now.getTime()).toBe(60_000);
  expect([understudy.journal.length, fork.journal.length]).toEqual([1, 1]);
  expect((await fork.fetch(`${fork.ledgerUrl}/v2/idps`, { headers })).status).toBe(200);
  expect([understudy.journal.length, fork.journal.length]).toEqual([1, 2]);
});

test("goes back to where it began, and forgets what was asked", async () => {
  const understudy = createUnderstudy();
  const began = understudy.now;
  await granted(understudy);
  understudy.advance("PT30S");
  understudy.reset();
  expect([understudy.now, understudy.journal]).toEqual([began, []]);
  expect(await granted(understudy)).toBe(1);
});

test("ends a fork alone, and a server with all its worlds", async () => {
  const understudy = await startUnderstudy();
  onTestFinished(() => understudy.close());
  const fork = understudy.fork();
  expect((await fetch(`${fork.ledgerUrl}/v2/idps`, { headers })).status).toBe(200);
  await fork.close();
  await expect(fork.fetch("/v2/idps", { headers })).rejects.toThrow("this stand-in is closed");
  expect(() => fork.now).toThrow("this stand-in is closed");
  expect((await fetch(`${fork.ledgerUrl}/v2/idps`, { headers })).status).toBe(404);
  expect((await fetch(`${understudy.ledgerUrl}/__understudy/worlds`)).status).toBe(200);
  await understudy.close();
  await expect(fetch(`${understudy.ledgerUrl}/v2/idps`, { headers })).rejects.toThrow("fetch failed");
});

test("plays the releases, the seed and the authentication that it is asked for", async () => {
  const json = { "Content-Type": "application/json" };
  const refusal = async (registryProfile: string) => {
    const understudy = createUnderstudy({ profile: "document", registryProfile });
    const path = "/registry/transfer-instruction/v2/transfer-factory";
    return (await understudy.fetch(path, { method: "POST", headers: json, body: "{" })).headers.get("content-type");
  };
  expect(await refusal("document")).toBe("application/json");
  expect(await refusal("splice-0.7")).toBe("text/plain; charset=UTF-8");
  const status = async (authentication: "none" | "bearer" | "user") =>
    (await createUnderstudy({ authentication }).fetch("/v2/idps", { headers: { Authorization: "Bearer x" } })).status;
  expect([await status("none"), await status("bearer"), await status("user")]).toEqual([200, 200, 403]);
});

test.each([
  [{ seed: -1 }, "the seed -1 is no whole number from 0 on"],
  [{ seed: 1.5 }, "the seed 1.5 is no whole number from 0 on"],
  [{ profile: "canton-9" }, 'there is no ledger profile "canton-9"'],
  [{ registryProfile: "splice-9" }, 'there is no registry profile "splice-9"'],
  [{ scenario: "none.yaml" }, "none.yaml:1: there is no such file"],
])("refuses %j", (settings, message) => {
  expect(() => createUnderstudy(settings)).toThrow(message);
});

test("says what cannot be done", () => {
  const understudy = createUnderstudy();
  expect(() => understudy.advance("soon")).toThrow('"soon" is no duration such as "PT30S"');
  expect(() => understudy.completeReassignment("amulet-rules")).toThrow("is not being reassigned");
  expect(() => understudy.beginReassignment("amulet-rules", "synchronizer-a")).toThrow("assigned to synchronizer-a");
  understudy.beginReassignment("amulet-rules", "synchronizer-b");
  expect(() => understudy.beginReassignment("amulet-rules", "synchronizer-b")).toThrow("is being reassigned already");
});
