import type { Probe } from "../../probing/probe.ts";
import { asAdministrator } from "../_ledger-calls.ts";
import { walkUsers } from "../_users.ts";
import { sendVariants } from "../_variants.ts";

export const grantNothing: Probe = {
  id: "grant-nothing",
  summary:
    "Grants an empty list of rights and no list at all, with and without an identity provider, and reads the user before and after.",
  section: "4.2",
  safety: "safe",
  needs: [...asAdministrator, "existingUser"],
  reaches: ["postV2UsersUser-idRights 200", "getV2Users 200"],
  async run(context) {
    const userId = context.need("existingUser");
    const path = { "user-id": userId };
    await walkUsers(context, { until: userId });
    const bodies = [{ userId, rights: [] }, { userId }, { userId, rights: [], identityProviderId: "" }];
    await sendVariants(
      context,
      bodies.map((body) => ({ operationId: "postV2UsersUser-idRights", path, body })),
    );
    await walkUsers(context, { until: userId });
  },
};
