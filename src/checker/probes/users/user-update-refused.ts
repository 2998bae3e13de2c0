import type { Probe } from "../../probing/probe.ts";
import { asAdministrator, updateCall } from "../_ledger-calls.ts";
import { sendEach } from "../_malformed.ts";
import { withUser } from "../_users.ts";
import { invalidUpdates } from "./_invalid.ts";

export const userUpdateRefused: Probe = {
  id: "user-update-refused",
  summary: "Updates a new user, and sends the same update with one error at a time.",
  section: "4.2",
  safety: "writes",
  needs: asAdministrator,
  reaches: ["patchV2UsersUser-id 200", "patchV2UsersUser-id 400"],
  async run(context) {
    await withUser(context, async (id) => {
      const good = updateCall(id, {}, ["is_deactivated"]);
      await context.send(good);
      await sendEach(context, good, invalidUpdates(id));
    });
  },
};
