import { textOf } from "../../../foundation/json/members.ts";
import { mayRead } from "../_reading.ts";
import type { Call, Operation, WorldView } from "../operation.ts";
import { missingField, nodeError } from "../refusal.ts";
import { updateOfHash } from "../updates/_update.ts";
import { completionJson } from "./_completion.ts";

/**
 * `POST /v2/commands/completion-by-hash`: the completion of an externally signed transaction, for the parties that the
 * caller may read (Canton 3.6, source). A refused submission leaves no completion: the response to it is the refusal.
 */
export const getCompletionByHash: Operation = {
  operationId: "postV2CommandsCompletion-by-hash",
  mayCall: (call, world) => mayRead(call, undefined, world) || readsAParty(call, world),
  perform(call, world) {
    const hash = textOf(call.body["transactionHash"]);
    if (hash === "") return missingField("transaction_hash");
    const update = updateOfHash(hash, world);
    const actAs = update?.submitters.filter((party) => mayRead(call, [party], world)) ?? [];
    if (update === undefined || actAs.length === 0)
      return nodeError("COMPLETION_NOT_FOUND", "Completion not found, or not visible.", {
        resources: [["TRANSACTION_HASH", hash]],
      });
    const body = {
      acceptedCompletion: completionJson(update, actAs, call.release),
      lastRejectedCompletions: [],
    };
    return { type: "succeeded", body, changes: [] };
  },
};

/** Whether the caller may read at least one party. */
function readsAParty({ caller }: Call, { ledger }: WorldView): boolean {
  if (caller.type !== "user") return false;
  const rights = ledger.users.get(caller.userId)?.rights;
  return rights?.hasSome("CanReadAs") === true || rights?.hasSome("CanActAs") === true;
}
