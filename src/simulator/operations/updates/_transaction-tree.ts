import { textsOf } from "../../../foundation/json/members.ts";
import { everythingFor } from "../_event-format.ts";
import { type TransactionOptions, transactionTreeJson } from "../_transaction-json.ts";
import type { Call, Operation, OperationResult, WorldView } from "../operation.ts";
import { invalidArgument } from "../refusal.ts";
import { type FoundUpdate, mayReadUpdate, optionsOf } from "./_update.ts";

/** An operation that reads a transaction as a tree, for the parties of the query. */
export function treeOperation(
  operationId: string,
  find: (call: Call, options: TransactionOptions, world: WorldView) => FoundUpdate,
): Operation {
  return {
    operationId,
    mayCall: (call, world) => mayReadUpdate(call, treeOptions(call, world), world),
    perform(call, world): OperationResult {
      if (textsOf(call.query["parties"]).length === 0) return invalidArgument("parties must not be empty");
      const options = treeOptions(call, world);
      const found = find(call, options, world);
      if (found.type !== "found") return found;
      return {
        type: "succeeded",
        body: { transaction: transactionTreeJson(found.update, options, found.events) },
        changes: [],
      };
    },
  };
}

function treeOptions(call: Call, world: WorldView): TransactionOptions {
  return { ...optionsOf({}, call, world), isFull: true, format: everythingFor(textsOf(call.query["parties"])) };
}
