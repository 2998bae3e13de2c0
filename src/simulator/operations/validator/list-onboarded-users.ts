import type { Operation } from "../operation.ts";
import { responseWith } from "../splice-contracts.ts";
import { isOperator } from "./_operator-call.ts";

/** `GET /api/validator/v0/admin/users`: the users with a party (Splice 0.6, validator-internal.yaml). */
export const listOnboardedUsers: Operation = {
  operationId: "getValidatorUsers",
  mayCall: isOperator,
  perform: (_, { ledger }) =>
    responseWith({
      usernames: [...ledger.users.values()].filter(({ primaryParty }) => primaryParty !== "").map(({ id }) => id),
    }),
};
