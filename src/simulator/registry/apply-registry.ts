import type { RegistryChange } from "./registry-change.ts";
import type { Assignment, RegistryContract, RegistryState } from "./registry-state.ts";

/** The registry after a change; the only place that changes it. Throws if an invariant would break. */
export function applyToRegistry(state: RegistryState, change: RegistryChange): RegistryState {
  switch (change.type) {
    case "reassignment-begun":
      return withAssignment(state, change.contract, (assignment) => begun(assignment, change.contract, change.target));
    case "reassignment-completed":
      return withAssignment(state, change.contract, (assignment) => completed(assignment, change.contract));
    case "preapproval-created":
      return { ...state, preapprovals: state.preapprovals.with(change.preapproval.receiver, change.preapproval, true) };
    case "preapproval-archived":
      return { ...state, preapprovals: state.preapprovals.without(change.receiver) };
    case "contract-added":
      return withContract(state, change.contract);
    case "contract-archived":
      return withoutContract(state, change.contract);
  }
}

function withoutContract(state: RegistryState, name: string): RegistryState {
  const contract = state.contracts.get(name);
  if (contract === undefined) throw new Error(`invariant: the registry has no contract ${name}`);
  return {
    ...state,
    contracts: state.contracts.without(name),
    contractNames: state.contractNames.without(contract.contractId),
  };
}

/** Adds a contract, or replaces the one of the same name. */
function withContract(state: RegistryState, contract: RegistryContract): RegistryState {
  const { name, contractId } = contract;
  const replaced = state.contracts.get(name);
  const names = replaced === undefined ? state.contractNames : state.contractNames.without(replaced.contractId);
  return {
    ...state,
    contracts: state.contracts.with(name, contract, true),
    contractNames: names.with(contractId, name, true),
  };
}

/** Unassigns the contract at the source. The counter grows by one; the assignment that follows has the same counter. */
function begun(assignment: Assignment, contract: string, target: string): Assignment {
  if (assignment.type !== "assigned") throw new Error(`invariant: ${contract} is being reassigned already`);
  return {
    type: "in-flight",
    source: assignment.synchronizerId,
    target,
    reassignmentCounter: assignment.reassignmentCounter + 1,
  };
}

function completed(assignment: Assignment, contract: string): Assignment {
  if (assignment.type !== "in-flight") throw new Error(`invariant: ${contract} is not being reassigned`);
  return { type: "assigned", synchronizerId: assignment.target, reassignmentCounter: assignment.reassignmentCounter };
}

function withAssignment(
  state: RegistryState,
  name: string,
  change: (assignment: Assignment) => Assignment,
): RegistryState {
  const contract = state.contracts.get(name);
  if (contract === undefined) throw new Error(`invariant: the registry has no contract ${name}`);
  const changed: RegistryContract = { ...contract, assignment: change(contract.assignment) };
  return { ...state, contracts: state.contracts.with(name, changed, true) };
}
