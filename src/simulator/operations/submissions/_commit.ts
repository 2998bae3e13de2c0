import { seededHex } from "../../../foundation/crypto/seeded-hex.ts";
import type { DamlTransaction } from "../../../foundation/protobuf/prepared-transaction.ts";
import { committed } from "../../daml/commit.ts";
import { microsOfMs } from "../../daml/daml-json.ts";
import type { LedgerChange } from "../../ledger/ledger-change.ts";
import type { CompletedCommand, Update } from "../../ledger/ledger-state.ts";
import type { RegistryChange } from "../../registry/registry-change.ts";
import { connectedSynchronizer, connectedSynchronizers } from "../_synchronizer.ts";
import type { WorldView } from "../operation.ts";
import { nodeError, type Refusal } from "../refusal.ts";
import { indexed } from "./_registry-index.ts";
import { checkTraffic } from "./_traffic.ts";

/** What a request says about its transaction. */
export interface Submitted {
  /** The deduplication key. */
  readonly key: string;
  readonly userId: string;
  readonly commandId: string;
  /** Empty for a generated id. */
  readonly submissionId: string;
  /** Empty if the request does not name one. */
  readonly workflowId: string;
  /** Empty for a transaction that another participant submits. */
  readonly actAs: readonly string[];
  /** Empty if the request does not name one. */
  readonly synchronizerId: string;
  readonly transactionHash: string | undefined;
}

/** A committed transaction, and what the registry reads from it. */
export type CommitChange = Extract<LedgerChange, { readonly type: "transaction-committed" }> | RegistryChange;

export type Executed =
  | {
      readonly type: "executed";
      readonly update: Update;
      readonly changes: readonly CommitChange[];
      readonly warning?: string | undefined;
    }
  | Refusal;

/** The id of the next update. */
export function nextUpdateId({ ledger, seed }: WorldView): string {
  return `1220${seededHex(seed, "update", ledger.ledgerEnd + 1n, 64)}`;
}

/** The update that commits a transaction, with the changes of the world; a consumed input or too little traffic refuses it. */
export function commit(transaction: DamlTransaction, submitted: Submitted, world: WorldView): Executed {
  const { ledger, nowMs } = world;
  const unpaid = checkTraffic(submitted.actAs, ledger);
  if (unpaid !== undefined) return unpaid;
  const [offset, updateId] = [ledger.ledgerEnd + 1n, nextUpdateId(world)];
  const run = committed(transaction, {
    updateId,
    offset,
    committedAtMicros: microsOfMs(nowMs),
    contract: (id) => ledger.contracts.get(id),
  });
  if (run.type === "missing") return contractNotFound(run.contractId);
  const submissionId = submitted.submissionId || seededHex(world.seed, "submission", offset, 32);
  const command: CompletedCommand = { submissionId, offset, key: submitted.key, updateId, completedAtMs: nowMs };
  const update: Update = {
    updateId,
    offset,
    commandId: submitted.commandId,
    submissionId,
    ...(submitted.workflowId === "" ? {} : { workflowId: submitted.workflowId }),
    userId: submitted.userId,
    submitters: submitted.actAs,
    synchronizerId: synchronizerOf(submitted.synchronizerId, world),
    committedAtMs: nowMs,
    transactionHash: submitted.transactionHash,
    paidTrafficCost: submitted.actAs.length === 0 ? undefined : ledger.traffic?.submissionCost,
    events: run.events,
  };
  const changes = [{ type: "transaction-committed", command, update } as const, ...indexed(update, world.registry)];
  return { type: "executed", update, changes };
}

function contractNotFound(contractId: string): Refusal {
  return nodeError("CONTRACT_NOT_FOUND", `Contract could not be found with id ${contractId}`, {
    resources: [["CONTRACT_ID", contractId]],
  });
}

/** The logical id of a synchronizer that a request names by any id; without a name, the first one. */
function synchronizerOf(synchronizerId: string, { ledger }: WorldView): string {
  const found = connectedSynchronizer(synchronizerId, ledger) ?? connectedSynchronizers(ledger)[0];
  return found?.id ?? synchronizerId;
}
