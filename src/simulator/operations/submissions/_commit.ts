import { seededHex } from "../../../foundation/crypto/seeded-hex.ts";
import type { DamlTransaction } from "../../../foundation/protobuf/prepared-transaction.ts";
import { committed, finalContractId, ledgerContract } from "../../daml/commit.ts";
import { microsOfMs } from "../../daml/daml-json.ts";
import { asRegistryContract } from "../../daml/registry-contract.ts";
import { preapprovalContract, readPreapproval, readProposal } from "../../daml/token-contracts.ts";
import type { CompletedCommand, Update, UpdateEvent } from "../../ledger/ledger-state.ts";
import { connectedSynchronizer, connectedSynchronizers } from "../_synchronizer.ts";
import type { Change, WorldView } from "../operation.ts";
import { nodeError, type Refusal } from "../refusal.ts";
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
  readonly actAs: readonly string[];
  /** Empty if the request does not name one. */
  readonly synchronizerId: string;
  readonly transactionHash: string | undefined;
}

export type Executed =
  | {
      readonly type: "executed";
      readonly update: Update;
      readonly changes: readonly Change[];
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
  const bare: Update = {
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
    paidTrafficCost: ledger.traffic?.submissionCost,
    events: run.events,
  };
  const update = { ...bare, events: [...run.events, ...automated(run.events, world, bare)] };
  const changes = [{ type: "transaction-committed", command, update } as const, ...indexed(update)];
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

/** Accepts proposed pre-approvals, as a validator does by itself; here in the same update. */
function automated(
  events: readonly UpdateEvent[],
  { registry }: WorldView,
  { updateId, offset }: Update,
): readonly UpdateEvent[] {
  const last = events.reduce((highest, { nodeId }) => Math.max(highest, nodeId), -1);
  return events.flatMap((event, index): readonly UpdateEvent[] => {
    const receiver = event.type === "created" ? readProposal(event.contract) : undefined;
    if (receiver === undefined) return [];
    const nodeId = last + 1 + index;
    const contractId = finalContractId(`00${seededHex(updateId, "preapproval", nodeId, 64)}`, updateId);
    const { createdAtMicros } = event.contract;
    const contract = { ...preapprovalContract(registry, receiver), contractId };
    return [{ type: "created", nodeId, contract: ledgerContract(contract, { offset, nodeId, createdAtMicros }) }];
  });
}

/** Changes of the registry that follow from an update: pre-approvals. */
function indexed({ events, synchronizerId }: Update): readonly Change[] {
  return events.flatMap((event): readonly Change[] => {
    const receiver = event.type === "created" ? readPreapproval(event.contract) : undefined;
    if (receiver === undefined) return [];
    const name = `preapproval-${event.contract.contractId}`;
    return [
      { type: "contract-added", contract: asRegistryContract(name, event.contract, synchronizerId) },
      { type: "preapproval-created", preapproval: { receiver, contract: name, featuredAppRight: undefined } },
    ];
  });
}
