import type { Probe } from "../../probing/probe.ts";
import { asAdministrator } from "../_ledger-calls.ts";

export const identityProviders: Probe = {
  id: "identity-providers",
  summary: "Lists the identity provider configurations.",
  section: "4.2",
  safety: "safe",
  needs: asAdministrator,
  reaches: ["getV2Idps 200"],
  async run({ send }) {
    await send({ operationId: "getV2Idps" });
  },
};
