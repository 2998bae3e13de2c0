import type { BodyMessages } from "../../../foundation/protobuf/body-messages.ts";
import { isSameMessage } from "../../../foundation/protobuf/is-same-message.ts";
import type { InputContract, PreparedTransaction } from "../../../foundation/protobuf/prepared-transaction.ts";
import { base64OfBytes, bytesOfBase64 } from "../../../foundation/text/base64.ts";
import type { LedgerContract, LedgerState } from "../../ledger/ledger-state.ts";
import { notExecuted, type Refusal } from "../refusal.ts";

// Input contracts of a prepared transaction. Evidence: Canton 3.5, PreparedTransactionDecoder.scala (source), missing ones tested.

/** A contract of the ledger as an input of a prepared transaction. */
export function inputOf(contract: LedgerContract): InputContract {
  const { contractId, packageName, templateId, argument, signatories, observers, createdAtMicros } = contract;
  return {
    contract: {
      type: "create",
      lfVersion: "2.1",
      contractId,
      packageName,
      templateId,
      argument,
      signatories: [...signatories].sort(),
      stakeholders: [...new Set([...signatories, ...observers])].sort(),
    },
    createdAtMicros,
    eventBlob: bytesOfBase64(contract.createdEventBlob) ?? new Uint8Array(),
  };
}

/**
 * Refuses inputs that differ from their contracts, and a transaction that uses contracts without naming them as inputs. `used`
 * are the contracts that its commands use. A node checks both before it verifies signatures.
 */
export function checkInputs(
  prepared: PreparedTransaction,
  used: readonly string[],
  ledger: LedgerState,
  messages: BodyMessages,
): Refusal | undefined {
  const inputs = prepared.metadata?.inputContracts ?? [];
  for (const input of inputs) {
    const problem = inputProblem(input, ledger.contracts.get(input.contract.contractId), messages);
    if (problem !== undefined) return notExecuted(`Failed to deserialize input contracts: ${problem}`);
  }
  const given = new Set(inputs.map(({ contract }) => contract.contractId));
  const missing = [...new Set([...usedByNodes(prepared), ...used])].filter((id) => !given.has(id));
  if (missing.length === 0) return undefined;
  const named = missing.map(shown).join(",");
  return notExecuted(
    `Provided input contracts do not match the input contracts in the transaction: Missing input contracts: ${named}`,
  );
}

/** The contracts that exercises and fetches refer to, without those that the transaction creates. */
function usedByNodes({ transaction }: PreparedTransaction): readonly string[] {
  const nodes = [...(transaction?.nodes.values() ?? [])];
  const created = new Set(nodes.flatMap((node) => (node.type === "create" ? [node.contractId] : [])));
  return nodes.flatMap((node) =>
    (node.type === "exercise" || node.type === "fetch") && !created.has(node.contractId) ? [node.contractId] : [],
  );
}

/** An unknown contract is compared with its blob, a known one with the ledger. */
function inputProblem(
  input: InputContract,
  known: LedgerContract | undefined,
  messages: BodyMessages,
): string | undefined {
  const { contract, createdAtMicros, eventBlob } = input;
  if (known !== undefined && isSameMessage(inputOf(known), input)) return undefined;
  const event = messages.createdEvent(base64OfBytes(eventBlob));
  if (event === undefined) return `the event blob of ${shown(contract.contractId)} cannot be decoded`;
  if (event.createdAtMicros !== createdAtMicros)
    return "Creation time of the original contract does not match the create time of the input contract";
  if (event.contractId !== contract.contractId)
    return `Mismatching contractIds between enriched (${shown(contract.contractId)}) and original (${shown(event.contractId)})`;
  const isSame =
    known === undefined && event.templateId === contract.templateId && event.packageName === contract.packageName;
  return isSame ? undefined : `the input contract ${shown(contract.contractId)} differs from the contract with this id`;
}

function shown(contractId: string): string {
  return `ContractId(${contractId})`;
}
