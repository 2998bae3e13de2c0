import { isJsonObject, type Json } from "../../../foundation/json/json.ts";
import type { Probe } from "../../probing/probe.ts";
import { asAdministrator, updateCall } from "../_ledger-calls.ts";
import { versionIn, walkUsers, withUser } from "../_users.ts";

export const userUpdateStale: Probe = {
  id: "user-update-stale",
  summary: "Updates a new user with its current version and with its previous one, and reads it back.",
  section: "4.2",
  safety: "writes",
  needs: asAdministrator,
  reaches: ["patchV2UsersUser-id 200", "patchV2UsersUser-id 409", "getV2Users 200"],
  async run(context) {
    await withUser(context, async (id) => {
      const update = (resourceVersion: string, note: string) =>
        context.send(
          updateCall(id, { metadata: { resourceVersion, annotations: { note } } }, ["metadata.annotations"]),
        );
      const before = versionIn(await walkUsers(context, { until: id }));
      const { json } = await update("", "first");
      await update(before, "stale");
      await walkUsers(context, { until: id });
      await update(versionIn(userIn(json)), "current");
      await walkUsers(context, { until: id });
    });
  },
};

function userIn(response: Json | undefined) {
  const user = isJsonObject(response) ? response["user"] : undefined;
  return isJsonObject(user) ? user : undefined;
}
