import { type LedgerState, offsetKey } from "../../simulator/ledger/ledger-state.ts";
import { rightKey } from "../../simulator/ledger/right.ts";
import type { RegistryState } from "../../simulator/registry/registry-state.ts";
import type { WorldState } from "../../simulator/world/world-state.ts";

/** The tables of a world with a row under another key than its own, which no schema finds. */
export function misplacedRows({ ledger, participants, registry }: WorldState): readonly string[] {
  return [...[ledger, ...participants.values()].flatMap(inLedger), ...inRegistry(registry)];
}

function inLedger(ledger: LedgerState): readonly string[] {
  return [
    ...misplaced("users", ledger.users.entries(), ({ id }) => id),
    ...misplaced("parties", ledger.parties.entries(), ({ id }) => id),
    ...misplaced("packages", ledger.packages.entries(), ({ id }) => id),
    ...misplaced("synchronizers", ledger.synchronizers.entries(), ({ id }) => id),
    ...misplaced("identityProviders", ledger.identityProviders.entries(), ({ id }) => id),
    ...misplaced("commands", ledger.commands.entries(), ({ key }) => key),
    ...misplaced("contracts", ledger.contracts.entries(), ({ contractId }) => contractId),
    ...misplaced("updates", ledger.updates.entries(), ({ updateId }) => updateId),
    ...misplaced("updateIds", ledger.updateIds.entries(), (id) => offsetKey(ledger.updates.get(id)?.offset ?? -1n)),
    ...[...ledger.synchronizers.values()].flatMap(({ vetted }) => misplaced("vetted", vetted, (row) => row.packageId)),
    ...[...ledger.users.values()].flatMap(({ rights }) =>
      misplaced("rights", rights.grants.entries(), ({ right }) => rightKey(right)),
    ),
  ];
}

function inRegistry({ instruments, contracts, contractNames, preapprovals }: RegistryState): readonly string[] {
  return [
    ...misplaced("instruments", instruments.entries(), ({ id }) => id),
    ...misplaced("contracts", contracts.entries(), ({ name }) => name),
    ...misplaced("contractNames", contractNames.entries(), (name) => contracts.get(name)?.contractId),
    ...misplaced("preapprovals", preapprovals.entries(), ({ receiver }) => receiver),
  ];
}

function misplaced<Row>(
  name: string,
  rows: Iterable<readonly [string, Row]>,
  keyOf: (row: Row) => string | undefined,
): readonly string[] {
  for (const [key, row] of rows) if (keyOf(row) !== key) return [name];
  return [];
}
