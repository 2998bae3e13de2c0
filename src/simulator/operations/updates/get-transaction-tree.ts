import type { Operation } from "../operation.ts";
import { treeOperation } from "./_transaction-tree.ts";
import { updateAt } from "./_update.ts";

/** `GET /v2/updates/transaction-tree-by-id/{update-id}`: replaced by update-by-id (Canton 3.5, openapi.yaml). */
export const getTransactionTree: Operation = treeOperation(
  "getV2UpdatesTransaction-tree-by-idUpdate-id",
  (call, options, world) => updateAt({ ...call, body: { updateId: call.path["update-id"] ?? "" } }, options, world),
);
