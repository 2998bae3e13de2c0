import { instantOfMicros, microsOfMs } from "../../daml/daml-json.ts";
import { interpret, type LedgerCommand } from "../../daml/interpret.ts";
import { readProposal } from "../../daml/token-contracts.ts";
import { applyToLedger } from "../../ledger/apply-ledger.ts";
import type { LedgerContract } from "../../ledger/ledger-state.ts";
import { declaredOperatorOf, type Operator } from "../../ledger/operator.ts";
import { applyToRegistry } from "../../registry/apply-registry.ts";
import { paymentOf, preapprovalMicros } from "../_payment.ts";
import type { WorldView } from "../operation.ts";
import { usablePreapproval } from "../registry-context.ts";
import { type CommitChange, commit, type Executed } from "./_commit.ts";

/**
 * Commits a transaction, and then what the validator does by itself: it accepts proposals of pre-approvals that name its
 * operator as provider, each in a transaction of its own (Splice 0.7, AcceptTransferPreapprovalProposalTrigger.scala). If the
 * operator lacks funds, it tries again once it has more.
 */
export function commitAndFollow(...[transaction, submitted, world]: Parameters<typeof commit>): Executed {
  const executed = commit(transaction, submitted, world);
  const operator = declaredOperatorOf(world.ledger);
  if (executed.type !== "executed" || operator === undefined) return executed;
  const [changes, own] = [[...executed.changes], executed.update.events];
  const concerns = ({ signatories, observers }: LedgerContract) =>
    signatories.includes(operator.partyId) || observers.includes(operator.partyId);
  if (!own.some(({ type, contract }) => type === "created" && concerns(contract))) return executed;
  let current = changed(world, changes);
  for (const contract of current.ledger.contracts.values()) {
    const accepted = accept(contract, operator, current);
    changes.push(...accepted);
    current = changed(current, accepted);
  }
  return { ...executed, changes };
}

/** The changes of accepting a proposal; none if the contract is not one that the operator accepts now. */
function accept(contract: LedgerContract, operator: Operator, world: WorldView): readonly CommitChange[] {
  const { registry, nowMs } = world;
  const proposal = readProposal(contract);
  if (
    proposal === undefined ||
    proposal.provider !== operator.partyId ||
    usablePreapproval(registry, proposal.receiver, nowMs) !== undefined
  )
    return [];
  const payment = paymentOf(operator.partyId, world);
  if (payment.type !== "found") return [];
  const argument = { ...payment.argument, expiresAt: instantOfMicros(microsOfMs(nowMs) + preapprovalMicros) };
  const { contractId, templateId } = contract;
  const choice = "TransferPreapprovalProposal_Accept";
  const command: LedgerCommand = {
    ...{ type: "exercise", templateId, contractId, choice },
    argument: { type: "json", json: argument },
  };
  const parties = { submitters: [operator.partyId], readers: [], disclosed: { has: () => true } };
  // The choices are the stub's own, whatever archives are uploaded.
  const options = { ...world, ...parties, archives: { get: () => undefined } };
  const commandId = `accept-${contractId}`;
  const interpreted = interpret([command], options, commandId);
  if (interpreted.type === "failed") return [];
  const submitted = { key: commandId, userId: operator.userId, commandId, submissionId: "", workflowId: "" };
  const named = { ...submitted, actAs: options.submitters, synchronizerId: "", transactionHash: undefined };
  const accepted = commit(interpreted.builder.transaction(), named, world);
  return accepted.type === "executed" ? accepted.changes : [];
}

function changed(world: WorldView, changes: readonly CommitChange[]): WorldView {
  let { ledger, registry } = world;
  for (const change of changes)
    if (change.type === "transaction-committed") ledger = applyToLedger(ledger, change);
    else registry = applyToRegistry(registry, change);
  return { ...world, ledger, registry };
}
