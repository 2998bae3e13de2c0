import type { Operation } from "../operation.ts";
import { registryError } from "../refusal.ts";
import { usableContract } from "../registry-context.ts";
import { contractWithState, partyRefusal, responseWith } from "../splice-contracts.ts";

/** `GET …/transfer-preapprovals/by-party/{party}` (Splice 0.6, HttpScanProxyHandler.scala). */
export const getTransferPreapproval: Operation = {
  operationId: "getScanTransferPreapproval",
  aliases: ["getScanProxyTransferPreapproval"],
  perform({ path }, { registry, nowMs }) {
    const party = path["party"] ?? "";
    const refusal = partyRefusal(party);
    if (refusal !== undefined) return refusal;
    const contract = usableContract(registry, registry.preapprovals.get(party)?.contract, nowMs);
    return contract === undefined
      ? registryError(404, `No TransferPreapproval found for party: ${party}`)
      : responseWith({ transfer_preapproval: contractWithState(contract) });
  },
};
