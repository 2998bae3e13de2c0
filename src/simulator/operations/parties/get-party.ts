import { textsOf } from "../../../foundation/json/members.ts";
import { isAllocated } from "../../ledger/ledger-state.ts";
import { partyProblem } from "../_identifier-problem.ts";
import { mayAskFor } from "../_reading.ts";
import type { Call, Operation, OperationResult } from "../operation.ts";
import { invalidArgument } from "../refusal.ts";
import { partyJson } from "./_party-json.ts";

/** `GET /v2/parties/{party}`: the parties with these ids; unknown parties are omitted (Canton 3.5, openapi.yaml). */
export const getParty: Operation = {
  operationId: "getV2PartiesParty",
  mayCall: (call, world) => mayAskFor(call, requestedBy(call), world),
  perform(call, { ledger, nowMs }): OperationResult {
    const requested = requestedBy(call);
    const misnamed = requested.map(partyProblem).find((problem) => problem !== undefined);
    if (misnamed !== undefined) return invalidArgument(misnamed);
    const known = requested.flatMap((name) => ledger.parties.get(name) ?? []);
    const partyDetails = known
      .filter((party) => isAllocated(party, nowMs))
      .map((party) => partyJson(party, ledger.participantId));
    return { type: "succeeded", body: { partyDetails }, changes: [] };
  },
};

function requestedBy({ path, query }: Call): readonly string[] {
  return [...new Set([path["party"] ?? "", ...textsOf(query["parties"])])];
}
