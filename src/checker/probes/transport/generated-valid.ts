import type { Probe } from "../../probing/probe.ts";
import { asAdministrator } from "../_ledger-calls.ts";

/** The requests are valid by the schemas, but most fail because the entities that they name do not exist. */
export const generatedValid: Probe = {
  id: "generated-valid",
  summary: "Calls every ledger operation with generated valid requests for entities that do not exist.",
  section: "4.2",
  safety: "safe",
  needs: [...asAdministrator, "generatedCalls"],
  reaches: ["getV2Users 200", "postV2UsersUser-idRights 404", "patchV2UsersUser-id 404"],
  async run(context) {
    for (const call of context.generatedCalls("ledger").valid) await context.send(call);
  },
};
