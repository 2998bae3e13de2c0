import { type Holding, holdingContract } from "../daml/token-contracts.ts";
import { TransactionBuilder } from "../daml/transaction-builder.ts";
import type { WorldView } from "./operation.ts";
import { commitAndFollow } from "./submissions/_automation.ts";
import { type Executed, nextUpdateId } from "./submissions/_commit.ts";

/**
 * Commits a transaction that creates a holding. It is seen like one that another participant submitted for the admin of the
 * registry: it has no submitter, no completion and no traffic cost here.
 */
export function mint(holding: Omit<Holding, "lock">, world: WorldView): Executed {
  const updateId = nextUpdateId(world);
  const builder = new TransactionBuilder(updateId);
  builder.create(holdingContract(world.registry, { ...holding, lock: undefined }));
  const named = { key: `mint ${updateId}`, userId: "", commandId: "", submissionId: "", workflowId: "" };
  const submitted = { ...named, actAs: [], synchronizerId: "", transactionHash: undefined };
  return commitAndFollow(builder.transaction(), submitted, world);
}
