import { isJsonObject, type Json } from "../../../foundation/json/json.ts";
import type { Probe, ProbeContext } from "../../probing/probe.ts";
import { asAdministrator, grantCall } from "../_ledger-calls.ts";
import { withUser } from "../_users.ts";
import { allocate, allocation, generateTopology } from "./_onboarding.ts";

/** Only the user of the request gets rights on the new party. */
export const allocateRights: Probe = {
  id: "allocate-rights",
  summary: "Allocates a party for no user and one for a new user, and reads the rights of this user and of others.",
  section: "4.2",
  safety: "writes",
  needs: [...asAdministrator, "synchronizer"],
  reaches: ["postV2PartiesExternalAllocate 200", "postV2UsersUser-idRights 200"],
  async run(context) {
    const others = await otherUsers(context);
    await withUser(context, async (userId) => {
      const [free, owned] = [await generateTopology(context, "free"), await generateTopology(context, "owned")];
      await allocate(context, allocation(context, free, free.signedTogether()));
      await allocate(context, allocation(context, owned, { ...owned.signedTogether(), userId }));
      for (const id of [userId, ...others]) await readRights(context, id);
      await context.send(grantCall(userId, [{ kind: { CanActAs: { value: { party: free.partyId } } } }]));
    });
  },
};

/** The user of the token, as far as the target shows it, and a user who exists. */
async function otherUsers({ send, knows, values }: ProbeContext): Promise<readonly string[]> {
  const operationId = "getV2Authenticated-user";
  const user = knows(operationId) ? memberOf((await send({ operationId })).json, "user") : undefined;
  const ids = [memberOf(user, "id"), values.existingUser].filter((id) => typeof id === "string");
  return [...new Set(ids)];
}

function memberOf(value: Json | undefined, name: string): Json | undefined {
  return isJsonObject(value) ? value[name] : undefined;
}

async function readRights({ send, knows }: ProbeContext, id: string): Promise<void> {
  const operationId = "getV2UsersUser-idRights";
  if (knows(operationId)) await send({ operationId, path: { "user-id": id }, context: { readsBack: true } });
}
