import type { Probe } from "../../probing/probe.ts";
import { asAdministrator, grantCall, unknownUser } from "../_ledger-calls.ts";
import { sendEach } from "../_malformed.ts";
import { invalidGrants } from "./_invalid.ts";

export const grantBadRequest: Probe = {
  id: "grant-bad-request",
  summary: "Sends malformed grants to an unknown user.",
  section: "4.2",
  safety: "safe",
  needs: asAdministrator,
  reaches: ["postV2UsersUser-idRights 400"],
  async run(context) {
    const userId = unknownUser(context);
    await sendEach(context, grantCall(userId, []), invalidGrants(userId));
    const bad = "no user";
    await context.send(grantCall(bad, []));
  },
};
