import { textOf, withoutUndefined } from "../../../foundation/json/members.ts";
import type { Operation } from "../operation.ts";
import { registryError } from "../refusal.ts";
import { contractOfParty, forParty, responseWith } from "../splice-contracts.ts";

/** `GET …/ans-entries/by-party/{party}` (Splice 0.6, HttpScanProxyHandler.scala). */
export const getAnsEntry: Operation = {
  operationId: "getScanAnsEntry",
  aliases: ["getScanProxyAnsEntry"],
  perform: ({ path }, world) =>
    forParty(path["party"], (party) => {
      const entry = contractOfParty("Splice.Ans:AnsEntry", "user", party, world);
      if (entry === undefined) return registryError(404, `Party ${party} does not have any ANSEntry.`);
      const { contractId, payload } = entry;
      const [name, url, description] = ["name", "url", "description"].map((member) => textOf(payload[member]));
      const named = { contract_id: contractId, user: party, name, url, description };
      return responseWith({ entry: withoutUndefined({ ...named, expires_at: payload["expiresAt"] }) });
    }),
};
