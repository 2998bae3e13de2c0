import { textsOf } from "../../../foundation/json/members.ts";
import { isIdentifier } from "../../../foundation/spec/identifiers.ts";
import { isAllocated } from "../../ledger/ledger-state.ts";
import { isSomeUserAdministrator } from "../_user-administrator.ts";
import type { Operation, Outcome } from "../operation.ts";
import { invalidArgument } from "../refusal.ts";
import { partyJson } from "./_party-json.ts";

/** `GET /v2/parties/{party}`: the parties with these ids; unknown parties are omitted (Canton 3.5, openapi.yaml). */
export const getParty: Operation = {
  operationId: "getV2PartiesParty",
  mayCall: ({ caller }) => isSomeUserAdministrator(caller),
  perform({ path, query }, { ledger, nowMs }): Outcome {
    const requested = new Set([path["party"] ?? "", ...textsOf(query["parties"])]);
    const misnamed = [...requested].find((name) => !isIdentifier("partyId", name));
    if (misnamed !== undefined) return invalidArgument(`${JSON.stringify(misnamed)} is not a party`);
    const known = [...requested].flatMap((name) => ledger.parties.get(name) ?? []);
    const partyDetails = known
      .filter((party) => isAllocated(party, nowMs))
      .map((party) => partyJson(party, ledger.participantId));
    return { type: "succeeded", body: { partyDetails }, changes: [] };
  },
};
