import { bytesToHex } from "@noble/hashes/utils.js";
import type { JsonObject } from "../../../foundation/json/json.ts";
import type { Probe, ProbeContext } from "../../probing/probe.ts";
import { asAdministrator, updateCall } from "../_ledger-calls.ts";
import { walkUsers, withUser } from "../_users.ts";

/** Each body differs from the user in more than the masked attributes. */
export const userUpdateMasks: Probe = {
  id: "user-update-masks",
  summary: "Updates a new user with one mask after another, and reads it back each time.",
  section: "4.2",
  safety: "writes",
  needs: asAdministrator,
  reaches: ["patchV2UsersUser-id 200", "patchV2UsersUser-id 400", "getV2Users 200"],
  async run(context) {
    await withUser(context, async (id) => {
      await walkUsers(context, { until: id });
      for (const [user, paths] of updatesOf(context)) {
        await context.send(updateCall(id, user, paths));
        await walkUsers(context, { until: id });
      }
    });
  },
};

function updatesOf({ prefix, seededBytes }: ProbeContext): readonly (readonly [JsonObject, readonly string[]])[] {
  const [party, other] = ["party", "other"].map((hint) => `${prefix}::1220${bytesToHex(seededBytes(hint))}`);
  const annotated = (annotations: JsonObject) => ({ metadata: { annotations } });
  return [
    [{ isDeactivated: true, primaryParty: party ?? "" }, ["is_deactivated"]],
    [{ isDeactivated: false, primaryParty: party ?? "" }, ["primary_party"]],
    [{ ...annotated({ one: "1", two: "2" }), primaryParty: other ?? "" }, ["metadata.annotations"]],
    [annotated({ one: "", two: "two", three: "3" }), ["metadata.annotations"]],
    [annotated({ four: "4" }), ["metadata"]],
    [{ primaryParty: "", isDeactivated: false, ...annotated({ five: "5" }) }, ["primary_party", "is_deactivated"]],
    [{ primaryParty: other ?? "" }, ["id", "metadata.resource_version"]],
    [{ isDeactivated: true }, []],
    [{ isDeactivated: true }, ["isDeactivated"]],
    [{ isDeactivated: true }, ["is_deactivated", "is_deactivated"]],
  ];
}
