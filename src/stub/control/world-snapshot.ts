import { holdingsOf, readInstruction } from "../../simulator/daml/token-contracts.ts";
import { isAllocated, type LedgerContract, type LedgerState } from "../../simulator/ledger/ledger-state.ts";
import type { HostedWorld } from "../hosting/hosted-world.ts";
import type { Hosting } from "../hosting/hosting.ts";
import type { components } from "./generated/control-types.ts";

type Schemas = components["schemas"];
type WorldJson = Schemas["World"];
/** The state of a world, as `getWorld` of the control API shows it. */
export type WorldSnapshot = Schemas["WorldSnapshot"];

/** What is shown of a world. */
interface ShownWorld extends Pick<HostedWorld, "world" | "labels" | "expiresMs"> {
  readonly journal: Pick<HostedWorld["journal"], "exchanges">;
}

/** Renders a world: its clock, the contracts of the registry, holdings and transfer instructions. */
export function worldJson(hosting: Hosting, id: string, hosted: ShownWorld): WorldJson {
  const { world, journal, labels, expiresMs } = hosted;
  const { nowMs, seed, counter, ledger, registry } = world.state;
  return {
    id,
    scenario: hosting.scenario,
    labels: [...labels],
    expiresAt: expiresMs === undefined ? null : new Date(expiresMs).toISOString(),
    now: new Date(nowMs).toISOString(),
    seed,
    requests: counter,
    journalled: journal.exchanges.length,
    contracts: [...registry.contracts.values()].map(({ name, contractId, assignment }) => ({
      name,
      contractId,
      assignment: { ...assignment },
    })),
    holdings: holdingsOf(ledger.contracts.values(), registry).map(({ contract, holding }) => ({
      contractId: contract.contractId,
      owner: holding.owner,
      instrumentId: holding.instrumentId,
      amount: holding.amount,
      lockedFor: holding.lock?.context ?? null,
    })),
    transferInstructions: [...ledger.contracts.values()].sort(byCreation).flatMap(instructionJson),
    preapprovals: [...registry.preapprovals.entries()].map(([receiver]) => receiver),
  };
}

/** Renders a world with the users, parties, packages, synchronizers and active contracts of its ledger. */
export function worldSnapshot(hosting: Hosting, id: string, hosted: ShownWorld): WorldSnapshot {
  const { ledger, nowMs } = hosted.world.state;
  return { ...worldJson(hosting, id, hosted), ...ledgerJson(ledger, nowMs) };
}

function ledgerJson(ledger: LedgerState, nowMs: number): Omit<WorldSnapshot, keyof WorldJson> {
  return {
    users: [...ledger.users.values()].map(({ id, primaryParty, isDeactivated, rights }) => ({
      id,
      primaryParty,
      isDeactivated,
      rights: rights.values().map((right) => ({ ...right })),
    })),
    parties: [...ledger.parties.values()].map((party) => ({
      id: party.id,
      hostedBy: [...party.hostedBy],
      isAllocated: isAllocated(party, nowMs),
    })),
    packages: [...ledger.packages.values()].map(({ id, name, version, isUploaded }) => ({
      id,
      name,
      version,
      isUploaded,
    })),
    synchronizers: [...ledger.synchronizers.values()].map(({ id, alias, isConnected, vetted }) => ({
      id,
      alias,
      isConnected,
      vettedPackages: [...vetted.keys()],
    })),
    activeContracts: [...ledger.contracts.values()].sort(byCreation).map((contract) => ({
      contractId: contract.contractId,
      templateId: contract.templateId,
      packageName: contract.packageName,
      signatories: [...contract.signatories],
      observers: [...contract.observers],
    })),
  };
}

function byCreation(left: LedgerContract, right: LedgerContract): number {
  return left.offset === right.offset ? left.nodeId - right.nodeId : left.offset < right.offset ? -1 : 1;
}

function instructionJson(contract: LedgerContract): WorldJson["transferInstructions"] {
  const pending = readInstruction(contract);
  if (pending === undefined) return [];
  const { sender, receiver, instrumentId, amount } = pending;
  return [{ contractId: contract.contractId, sender, receiver, instrumentId, amount }];
}
