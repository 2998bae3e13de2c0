import type { Probe } from "../../probing/probe.ts";
import { asAdministrator } from "../_ledger-calls.ts";

/** Valid by the schemas; what they name is not there, so that most are refused for that. */
export const generatedValid: Probe = {
  id: "generated-valid",
  summary: "Calls every operation of the ledger by generated requests that are valid; what they name is not there.",
  section: "4.2",
  safety: "safe",
  needs: [...asAdministrator, "generatedCalls"],
  reaches: ["getV2Users 200", "postV2UsersUser-idRights 404", "patchV2UsersUser-id 404"],
  async run(context) {
    for (const call of context.generatedCalls("ledger").valid) await context.send(call);
  },
};
