import { operatorOf } from "../../ledger/operator.ts";
import type { Operation } from "../operation.ts";
import { registryError } from "../refusal.ts";
import { featuredAppRightOf, responseWith } from "../splice-contracts.ts";

/** `GET /api/validator/v0/validator-user`: user and party of the operator (Splice 0.6, validator-internal.yaml). */
export const getValidatorUser: Operation = {
  operationId: "getValidatorUser",
  perform(_, world) {
    const operator = operatorOf(world.ledger);
    if (operator === undefined)
      return registryError(
        404,
        "The participant has no operator. Name a user with a primary party as `operator` in the ledger fixture.",
      );
    const { userId, partyId } = operator;
    const featured = featuredAppRightOf(partyId, world) !== undefined;
    return responseWith({ party_id: partyId, user_name: userId, featured });
  },
};
