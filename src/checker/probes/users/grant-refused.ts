import type { Probe } from "../../probing/probe.ts";
import { asAdministrator, grantCall } from "../_ledger-calls.ts";
import { sendEach } from "../_malformed.ts";
import { withUser } from "../_users.ts";
import { invalidGrants, readAnyParty } from "./_invalid.ts";

export const grantRefused: Probe = {
  id: "grant-refused",
  summary: "Grants a right to a new user, and sends the same grant with one error at a time.",
  section: "4.2",
  safety: "writes",
  needs: asAdministrator,
  reaches: ["postV2UsersUser-idRights 200", "postV2UsersUser-idRights 400"],
  async run(context) {
    await withUser(context, async (userId) => {
      const good = grantCall(userId, [readAnyParty]);
      await context.send(good);
      await sendEach(context, good, invalidGrants(userId));
    });
  },
};
