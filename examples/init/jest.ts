/// <reference types="jest" />
import type { LedgerPaths } from "canton-understudy";
import { useUnderstudy } from "canton-understudy/jest";

type Granted = LedgerPaths["/v2/users/{user-id}/rights"]["post"]["responses"][200]["content"]["application/json"];

// Your client. Replace it with an import of your own code.
/** Lets a user act as a party. Returns false if the user had this right before. */
async function grantActAs(ledgerUrl: string, token: string, userId: string, party: string): Promise<boolean> {
  const response = await fetch(`${ledgerUrl}/v2/users/${userId}/rights`, {
    method: "POST",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    body: JSON.stringify({ userId, rights: [{ kind: { CanActAs: { value: { party } } } }] }),
  });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  const { newlyGrantedRights = [] } = (await response.json()) as Granted;
  return newlyGrantedRights.length > 0;
}

// Each test gets a ledger of its own, with the users and parties of ledger.yaml at its start.
const stage = useUnderstudy({ scenario: new URL("first.arazzo.yaml", import.meta.url) });
const token = "any"; // By default the stub accepts any token.

test("grants a right once", async () => {
  const { understudy } = stage;
  expect(await grantActAs(understudy.ledgerUrl, token, "alice", "bob::1220ab")).toBe(true);
  expect(await grantActAs(understudy.ledgerUrl, token, "alice", "bob::1220ab")).toBe(false); // The stub keeps state.
  expect(understudy).toHaveReceived({ operation: "postV2UsersUser-idRights", times: 2 });
});

test("reports the error of a ledger that is down", async () => {
  const { understudy } = stage;
  understudy.fault("postV2UsersUser-idRights", { error: "SERVICE_NOT_RUNNING" });
  const granting = grantActAs(understudy.ledgerUrl, token, "alice", "bob::1220ab");
  await expect(granting).rejects.toThrow("SERVICE_NOT_RUNNING");
});
