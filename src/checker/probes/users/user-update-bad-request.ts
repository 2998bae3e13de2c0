import type { Probe } from "../../probing/probe.ts";
import { asAdministrator, unknownUser, updateCall } from "../_ledger-calls.ts";
import { sendEach } from "../_malformed.ts";
import { invalidUpdates } from "./_invalid.ts";

export const userUpdateBadRequest: Probe = {
  id: "user-update-bad-request",
  summary: "Sends malformed updates and updates with invalid masks for an unknown user.",
  section: "4.2",
  safety: "safe",
  needs: asAdministrator,
  reaches: ["patchV2UsersUser-id 400"],
  async run(context) {
    const id = unknownUser(context);
    await sendEach(context, updateCall(id, {}, []), invalidUpdates(id));
    const bad = "no user";
    await context.send(updateCall(bad, {}, ["is_deactivated"]));
  },
};
