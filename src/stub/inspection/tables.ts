import { isSecretName, redactionMark } from "../../foundation/secrets/secret-name.ts";
import type { Table } from "../../foundation/table/table.ts";
import { readHolding, readInstruction } from "../../simulator/daml/token-contracts.ts";
import type { LedgerContract, Party, Synchronizer, User } from "../../simulator/ledger/ledger-state.ts";
import type { RegistryContract } from "../../simulator/registry/registry-state.ts";
import type { WorldState } from "../../simulator/world/world-state.ts";
import type { components } from "../control/generated/control-types.ts";

type TableName = components["schemas"]["TableName"];

/** A table of the inspector over the rows of a state. */
interface ShownTable {
  readonly columns: string[];
  readonly table: Table<unknown>;
  /** Whether the table shows the row with an id. Not every ledger contract is a holding. */
  isShown(id: string): boolean;
  /** The shown rows from an id on, ordered by id, with readable cell texts. */
  rowsFrom(id: string): Iterable<{ readonly id: string; readonly cells: readonly string[] }>;
}

/** The tables. `holdings` and `transferInstructions` are kinds of ledger contracts. */
const tables: Readonly<Record<TableName, (state: WorldState) => ShownTable>> = {
  users: ({ ledger }) =>
    shown(["id", "primary party", "rights", "provider", "version", "annotations"], ledger.users, userCells),
  parties: (state) =>
    shown(["id", "hosted by", "keys", "provider", "version", "from"], state.ledger.parties, partyCells(state)),
  packages: ({ ledger }) =>
    shown(["id", "name", "version", "uploaded", "dependencies"], ledger.packages, (each) => [
      each.name,
      each.version,
      yesNo(each.isUploaded),
      each.dependencies.join(", "),
    ]),
  vetting: (state) =>
    shown(["id", "synchronizer", "connected", "serial", "vetted"], state.ledger.synchronizers, vettingCells(state)),
  identityProviders: ({ ledger }) =>
    shown(["id", "issuer", "keys", "audience", "deactivated"], ledger.identityProviders, (each) => [
      each.issuer,
      each.jwksUrl,
      each.audience,
      yesNo(each.isDeactivated),
    ]),
  contracts: (state) =>
    shown(
      ["name", "assigned to", "counter", "template", "contract id"],
      state.registry.contracts,
      contractCells(state),
    ),
  holdings: (state) =>
    shown(["contract id", "owner", "instrument", "amount", "locked for"], state.ledger.contracts, holdingCells(state)),
  transferInstructions: ({ ledger }) =>
    shown(["contract id", "from", "to", "instrument", "amount"], ledger.contracts, instructionCells),
  preapprovals: ({ registry }) =>
    shown(["receiver", "contract", "featured app right"], registry.preapprovals, (each) => [
      each.contract ?? "",
      each.featuredAppRight ?? "",
    ]),
};

export const tableNames: readonly TableName[] = Object.keys(tables).filter(isTableName);

export function isTableName(name: string): name is TableName {
  return Object.hasOwn(tables, name);
}

export function shownTable(state: WorldState, name: TableName): ShownTable {
  return tables[name](state);
}

/** `cellsOf` returns the cells after the id; undefined for a row that the table does not show. */
function shown<Row>(
  columns: string[],
  table: Table<Row>,
  cellsOf: (row: Row) => readonly string[] | undefined,
): ShownTable {
  return {
    columns,
    table,
    isShown(id) {
      const row = table.get(id);
      return row !== undefined && cellsOf(row) !== undefined;
    },
    *rowsFrom(id) {
      for (const [rowId, row] of table.entries(id)) {
        const cells = cellsOf(row);
        if (cells !== undefined) yield { id: rowId, cells: [rowId, ...cells] };
      }
    },
  };
}

function userCells(user: User): readonly string[] {
  return [
    user.isDeactivated ? `${user.primaryParty} (deactivated)` : user.primaryParty,
    user.rights
      .values()
      .map((right) => ("party" in right ? `${right.type} ${right.party}` : right.type))
      .join(", "),
    user.identityProviderId,
    user.resourceVersion,
    Object.entries(user.annotations)
      .map(([key, value]) => `${key}: ${isSecretName(key) ? redactionMark : value}`)
      .join(", "),
  ];
}

function partyCells({ nowMs }: WorldState) {
  return ({
    hostedBy,
    awaiting,
    signingKeys,
    signingThreshold,
    identityProviderId,
    resourceVersion,
    visibleFromMs,
  }: Party) => [
    hostedBy.map((id) => (awaiting.includes(id) ? `${id} (pending)` : id)).join(", "),
    signingKeys.length === 0 ? "" : `${signingThreshold} of ${signingKeys.length}`,
    identityProviderId,
    resourceVersion,
    visibleFromMs > nowMs ? new Date(visibleFromMs).toISOString() : "",
  ];
}

function vettingCells({ ledger }: WorldState) {
  return ({ alias, isConnected, topologySerial, vetted }: Synchronizer) => [
    alias,
    yesNo(isConnected),
    String(topologySerial),
    [...vetted.values()]
      .map(({ packageId, validFrom, validUntil }) => {
        const named = ledger.packages.get(packageId);
        const bounds = [validFrom && `from ${validFrom}`, validUntil && `until ${validUntil}`]
          .filter(Boolean)
          .join(" ");
        const name = named === undefined ? packageId : `${named.name} ${named.version}`;
        return bounds === "" ? name : `${name} (${bounds})`;
      })
      .join(", "),
  ];
}

function contractCells({ ledger }: WorldState) {
  const alias = (id: string) => ledger.synchronizers.get(id)?.alias ?? id;
  return ({ assignment, templateId, contractId }: RegistryContract) => [
    assignment.type === "assigned"
      ? alias(assignment.synchronizerId)
      : `in flight from ${alias(assignment.source)} to ${alias(assignment.target)}`,
    String(assignment.reassignmentCounter),
    templateId,
    contractId,
  ];
}

function holdingCells({ registry }: WorldState) {
  return (contract: LedgerContract) => {
    const holding = readHolding(contract, registry);
    if (holding === undefined) return undefined;
    return [holding.owner, holding.instrumentId, holding.amount, holding.lock?.context ?? ""];
  };
}

function instructionCells(contract: LedgerContract): readonly string[] | undefined {
  const pending = readInstruction(contract);
  return pending === undefined ? undefined : [pending.sender, pending.receiver, pending.instrumentId, pending.amount];
}

function yesNo(value: boolean): string {
  return value ? "yes" : "no";
}
