import type { Probe } from "../../probing/probe.ts";
import { asAdministrator, unknownUser, updateCall, userUpdate } from "../_ledger-calls.ts";
import { malformed } from "../_malformed.ts";

export const userUpdateBadRequest: Probe = {
  id: "user-update-bad-request",
  summary: "Sends malformed updates and updates with invalid masks for an unknown user.",
  section: "4.2",
  safety: "safe",
  needs: asAdministrator,
  reaches: ["patchV2UsersUser-id 400"],
  async run(context) {
    const id = unknownUser(context);
    const good = userUpdate({ id }, ["is_deactivated"]);
    const bodies = malformed(good, {
      required: ["user", "updateMask"],
      illTyped: { user: id, updateMask: "is_deactivated" },
    });
    const masks = [[], ["isDeactivated"], ["no_member"], ["is_deactivated", "is_deactivated"], [""]];
    const unfit = [
      { ...good, updateMask: { paths: "is_deactivated", unknownFields: { fields: {} } } },
      userUpdate({ id, isDeactivated: "yes" }, ["is_deactivated"]),
      userUpdate({ id: `${id}-other` }, ["is_deactivated"]),
      userUpdate({ id, metadata: { resourceVersion: "latest" } }, ["is_deactivated"]),
      ...masks.map((paths) => userUpdate({ id }, paths)),
    ].map((body) => ({ body }));
    for (const body of [...bodies, ...unfit])
      await context.send({ operationId: "patchV2UsersUser-id", path: { "user-id": id }, ...body });
    const bad = "no user";
    await context.send(updateCall(bad, {}, ["is_deactivated"]));
  },
};
