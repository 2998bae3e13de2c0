import { textOf } from "../../../foundation/json/members.ts";
import { partyProblem } from "../_identifier-problem.ts";
import { mayAskFor } from "../_reading.ts";
import type { Operation, OperationResult } from "../operation.ts";
import { invalidArgument } from "../refusal.ts";

/** `GET /v2/state/connected-synchronizers`: the connected synchronizers; empty if the given party is not hosted on the node (Canton 3.5, openapi.yaml). */
export const listConnectedSynchronizers: Operation = {
  operationId: "getV2StateConnected-synchronizers",
  mayCall(call, world) {
    const party = textOf(call.query["party"]);
    return party === "" || mayAskFor(call, [party], world);
  },
  perform({ query }, { ledger }): OperationResult {
    const [party, participantId] = [textOf(query["party"]), textOf(query["participantId"])];
    const misnamed = party === "" ? undefined : partyProblem(party);
    if (misnamed !== undefined) return invalidArgument(misnamed);
    const isHosted = party === "" || ledger.parties.get(party)?.hostedBy.includes(ledger.participantId) === true;
    const isHere = participantId === "" || participantId === ledger.participantId;
    const connected = [...ledger.synchronizers.values()].filter(({ isConnected }) => isConnected && isHosted && isHere);
    const connectedSynchronizers = connected.map(({ id, alias }) => ({
      synchronizerAlias: alias,
      synchronizerId: id,
      permission: party === "" ? "PARTICIPANT_PERMISSION_UNSPECIFIED" : "PARTICIPANT_PERMISSION_SUBMISSION",
    }));
    return { type: "succeeded", body: { connectedSynchronizers }, changes: [] };
  },
};
