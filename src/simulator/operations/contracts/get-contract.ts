import { textOf, textsOf } from "../../../foundation/json/members.ts";
import { contractIdProblem } from "../_contract-id.ts";
import { everythingFor, sightOf } from "../_event-format.ts";
import { mayRead } from "../_reading.ts";
import { createdJson, stakeholdersOf } from "../_transaction-json.ts";
import type { Call, Operation } from "../operation.ts";
import { nodeError } from "../refusal.ts";
import { historyOf } from "./_contract-history.ts";

/** `POST /v2/contracts/contract-by-id`: a contract that the querying parties are stakeholders of (Canton 3.5, openapi.yaml). */
export const getContract: Operation = {
  operationId: "postV2ContractsContract-by-id",
  mayCall: (call, world) => mayRead(call, queryingParties(call), world),
  perform(call, { ledger }) {
    const contractId = textOf(call.body["contractId"]);
    const misread = contractIdProblem(contractId);
    if (misread !== undefined) return misread;
    const { created } = historyOf(contractId, ledger);
    const parties = queryingParties(call);
    const format = everythingFor(parties ?? created?.signatories ?? []);
    const sight = created === undefined ? undefined : sightOf(created, stakeholdersOf(created), [], format);
    if (created === undefined || sight === undefined)
      return nodeError("CONTRACT_PAYLOAD_NOT_FOUND", "Contract payload not found, or not visible.", {
        resources: [["CONTRACT_ID", contractId]],
      });
    return {
      type: "succeeded",
      body: { createdEvent: createdJson(created, { ...sight, hasBlob: true }, true) },
      changes: [],
    };
  },
};

/** Undefined for any party. */
function queryingParties({ body }: Call): readonly string[] | undefined {
  const parties = textsOf(body["queryingParties"]);
  return parties.length === 0 ? undefined : parties;
}
