import type { Operation } from "../operation.ts";
import { registryError } from "../refusal.ts";
import { contractOfParty, contractWithState, forParty, responseWith } from "../splice-contracts.ts";

/** `GET …/transfer-command-counter/{party}` (Splice 0.6, HttpScanProxyHandler.scala). */
export const getTransferCommandCounter: Operation = {
  operationId: "getScanTransferCommandCounter",
  aliases: ["getScanProxyTransferCommandCounter"],
  perform: ({ path }, world) =>
    forParty(path["party"], (party) => {
      const entity = "Splice.ExternalPartyAmuletRules:TransferCommandCounter";
      const counter = contractOfParty(entity, "sender", party, world);
      return counter === undefined
        ? registryError(404, `No TransferCommandCounter found for party: ${party}, use 0 for the nonce`)
        : responseWith({ transfer_command_counter: contractWithState(counter) });
    }),
};
