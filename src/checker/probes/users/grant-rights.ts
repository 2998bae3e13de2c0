import type { Json } from "../../../foundation/json/json.ts";
import type { Probe } from "../../probing/probe.ts";
import { asAdministrator, grantCall } from "../_ledger-calls.ts";
import { walkUsers, withUser } from "../_users.ts";

export const grantRights: Probe = {
  id: "grant-rights",
  summary: "Grants rights to a new user, repeated and combined, and reads the user before and after.",
  section: "4.2",
  safety: "writes",
  needs: [...asAdministrator, "party"],
  reaches: ["postV2UsersUser-idRights 200", "getV2Users 200"],
  async run(context) {
    const value = { party: context.need("party") };
    const [act, read, readAll] = [
      { kind: { CanActAs: { value } } },
      { kind: { CanReadAs: { value } } },
      { kind: { CanReadAsAnyParty: { value: {} } } },
    ] as const;
    await withUser(context, async (userId) => {
      const grant = (rights: readonly Json[]) => context.send(grantCall(userId, rights));
      await walkUsers(context, { until: userId });
      for (const rights of [[act], [act], [act, read], [read, read], [readAll, act], [readAll], []])
        await grant(rights);
      await walkUsers(context, { until: userId });
    });
  },
};
