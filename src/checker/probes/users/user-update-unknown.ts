import type { Probe } from "../../probing/probe.ts";
import { asAdministrator, unknownUser, updateCall } from "../_ledger-calls.ts";

export const userUpdateUnknown: Probe = {
  id: "user-update-unknown",
  summary: "Updates an unknown user.",
  section: "4.2",
  safety: "safe",
  needs: asAdministrator,
  reaches: ["patchV2UsersUser-id 404"],
  async run(context) {
    const id = unknownUser(context);
    await context.send(updateCall(id, {}, ["is_deactivated"]));
  },
};
