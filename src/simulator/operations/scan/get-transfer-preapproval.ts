import type { Operation } from "../operation.ts";
import { registryError } from "../refusal.ts";
import { usablePreapproval } from "../registry-context.ts";
import { contractWithState, forParty, responseWith } from "../splice-contracts.ts";

/** `GET …/transfer-preapprovals/by-party/{party}` (Splice 0.6, HttpScanProxyHandler.scala). */
export const getTransferPreapproval: Operation = {
  operationId: "getScanTransferPreapproval",
  aliases: ["getScanProxyTransferPreapproval"],
  perform: ({ path }, { registry, nowMs }) =>
    forParty(path["party"], (party) => {
      const contract = usablePreapproval(registry, party, nowMs);
      return contract === undefined
        ? registryError(404, `No TransferPreapproval found for party: ${party}`)
        : responseWith({ transfer_preapproval: contractWithState(contract) });
    }),
};
