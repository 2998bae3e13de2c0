import type { Operation } from "../operation.ts";
import { responseWith } from "../splice-contracts.ts";

/** `GET …/dso-party-id`: the administrator of the Amulet registry (Splice 0.6, scan.yaml). */
export const getDsoPartyId: Operation = {
  operationId: "getScanDsoPartyId",
  aliases: ["getScanProxyDsoPartyId"],
  perform: (_, { registry }) => responseWith({ dso_party_id: registry.admin }),
};
