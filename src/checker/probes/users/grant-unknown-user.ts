import type { Probe } from "../../probing/probe.ts";
import { asAdministrator, grantCall, unknownUser } from "../_ledger-calls.ts";

export const grantUnknownUser: Probe = {
  id: "grant-unknown-user",
  summary: "Grants no rights to an unknown user.",
  section: "4.2",
  safety: "safe",
  needs: asAdministrator,
  reaches: ["postV2UsersUser-idRights 404"],
  async run(context) {
    const userId = unknownUser(context);
    await context.send(grantCall(userId, []));
  },
};
