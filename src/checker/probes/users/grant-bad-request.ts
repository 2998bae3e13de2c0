import type { Probe } from "../../probing/probe.ts";
import { asAdministrator, grantCall, unknownUser } from "../_ledger-calls.ts";
import { malformed } from "../_malformed.ts";

const right = { kind: { CanReadAsAnyParty: { value: {} } } };

export const grantBadRequest: Probe = {
  id: "grant-bad-request",
  summary: "Sends malformed grants to an unknown user.",
  section: "4.2",
  safety: "safe",
  needs: asAdministrator,
  reaches: ["postV2UsersUser-idRights 400"],
  async run(context) {
    const userId = unknownUser(context);
    const path = { "user-id": userId };
    const bodies = malformed(
      { userId, rights: [right] },
      { required: ["userId"], illTyped: { userId: 5, rights: "all", identityProviderId: 5 } },
    );
    const unfit = [
      { userId: `${userId}-other`, rights: [] },
      { userId, rights: [{ kind: { CanDoAnything: { value: {} } } }] },
      { userId, rights: [{ kind: { Empty: {} } }] },
      { userId, rights: [{ kind: { CanActAs: { value: { party: "no party" } } } }] },
    ].map((body) => ({ body }));
    for (const body of [...bodies, ...unfit])
      await context.send({ operationId: "postV2UsersUser-idRights", path, ...body });
    const bad = "no user";
    await context.send(grantCall(bad, []));
  },
};
