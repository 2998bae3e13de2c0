import type { Scenario } from "../../../src/scenarios/files/load-scenario.ts";

/** Values for the requests of a walk: the names in a scenario's initial state. */
export interface WalkInputs {
  /** Existing users; the administrator is last. */
  readonly users: readonly string[];
  readonly parties: readonly string[];
  readonly identityProviders: readonly string[];
  readonly packages: readonly PackageInput[];
  readonly synchronizers: readonly SynchronizerInput[];
  readonly instrument: { readonly admin: string; readonly id: string };
  /** Names of registry contracts: the factory, and the contracts of its first context key. */
  readonly contracts: readonly string[];
  readonly preparedTransactions: readonly PreparedInput[];
  /** A timestamp before the scenario's start, and one after it. */
  readonly past: string;
  readonly future: string;
}

interface PackageInput {
  readonly id: string;
  readonly name: string;
  readonly version: string;
}

interface SynchronizerInput {
  readonly alias: string;
  readonly id: string;
}

export interface PreparedInput {
  readonly value: string;
  readonly actAs: readonly string[];
}

const administrator = "participant_admin";
const dayMs = 86_400_000;

export function inputsOf({ initial }: Scenario): WalkInputs {
  const { ledger, registry, nowMs } = initial;
  const userIds = [...ledger.users.values()].map(({ id }) => id);
  const contractNames = [
    registry.factory.contract,
    ...registry.factory.context.slice(0, 1).flatMap(({ contracts }) => contracts),
  ];
  const at = (ms: number) => new Date(ms).toISOString();
  return {
    users: [...userIds.filter((id) => id !== administrator), ...userIds.filter((id) => id === administrator)],
    parties: [...ledger.parties.values()].map(({ id }) => id),
    identityProviders: [...ledger.identityProviders.values()].map(({ id }) => id),
    packages: [...ledger.packages.values()].map(({ id, name, version }) => ({ id, name, version })),
    synchronizers: [...ledger.synchronizers.values()].map(({ alias, id }) => ({ alias, id })),
    instrument: { admin: registry.admin, id: [...registry.instruments.values()][0]?.id ?? "none" },
    contracts: contractNames.filter((name) => registry.contracts.has(name)),
    preparedTransactions: [...registry.preparedTransactions.values()].map(({ value, actAs }) => ({ value, actAs })),
    past: at(nowMs - dayMs),
    future: at(nowMs + dayMs),
  };
}
