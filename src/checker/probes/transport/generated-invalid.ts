import type { Probe } from "../../probing/probe.ts";
import { asAdministrator } from "../_ledger-calls.ts";

export const generatedInvalid: Probe = {
  id: "generated-invalid",
  summary: "Calls every ledger operation with generated invalid requests, each with one error.",
  section: "4.2",
  safety: "safe",
  needs: [...asAdministrator, "generatedCalls"],
  reaches: ["postV2UsersUser-idRights 400", "patchV2UsersUser-id 400", "postV2Package-vetting 400"],
  async run(context) {
    for (const call of context.generatedCalls("ledger").invalid) await context.send(call);
  },
};
