import { expect, test } from "../../../src/entrypoints/testing/vitest.ts";

const headers = { Authorization: "Bearer any", "Content-Type": "application/json" };

for (let number = 0; number < 500; number += 1)
  test.concurrent(`test ${number} sees only its own changes`, async ({ understudy, expect: expectHere }) => {
    const user = { id: `user-${number}`, primaryParty: "", isDeactivated: false, identityProviderId: "" };
    const body = JSON.stringify({ user, rights: [] });
    await fetch(`${understudy.ledgerUrl}/v2/users`, { method: "POST", headers, body });
    const response = await fetch(`${understudy.ledgerUrl}/v2/users?pageSize=1000`, { headers });
    const { users } = JSON.parse(await response.text());
    const made = users.map(({ id }: { readonly id: string }) => id).filter((id: string) => id.startsWith("user-"));
    expectHere(made).toEqual([`user-${number}`]);
    expectHere(understudy).toHaveReceived({ operation: "postV2Users", times: 1 });
    expectHere(understudy.journal).toHaveLength(2);
  });

test("the matchers are available in the plain expect too", async ({ understudy }) => {
  const response = await fetch(`${understudy.ledgerUrl}/v2/users`, { headers });
  await expect(response).toConform();
  await expect(understudy).toConform({ profile: "spec" });
  expect(understudy).not.toHaveReceived({ operation: "getV2Idps" });
});
