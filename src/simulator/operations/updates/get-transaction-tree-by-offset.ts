import type { Operation } from "../operation.ts";
import { invalidArgument } from "../refusal.ts";
import { treeOperation } from "./_transaction-tree.ts";
import { updateAtOffset } from "./_update.ts";

/** `GET /v2/updates/transaction-tree-by-offset/{offset}`: replaced by update-by-offset (Canton 3.5, openapi.yaml). */
export const getTransactionTreeByOffset: Operation = treeOperation(
  "getV2UpdatesTransaction-tree-by-offsetOffset",
  ({ path: { offset = "" } }, options, world) =>
    /^-?\d{1,19}$/.test(offset)
      ? updateAtOffset(BigInt(offset), options, world)
      : invalidArgument(`${JSON.stringify(offset)} is not an offset`),
);
