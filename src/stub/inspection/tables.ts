import { isSecretName, redactionMark } from "../../foundation/secrets/secret-name.ts";
import type { Table } from "../../foundation/table/table.ts";
import { readHolding, readInstruction } from "../../simulator/daml/token-contracts.ts";
import type { LedgerContract, Party, Synchronizer, User } from "../../simulator/ledger/ledger-state.ts";
import type { RegistryContract } from "../../simulator/registry/registry-state.ts";
import type { WorldState } from "../../simulator/world/world-state.ts";
import type { components } from "../control/generated/control-types.ts";

type TableName = components["schemas"]["TableName"];

/** The tables of the inspector. `holdings` and `transferInstructions` are kinds of ledger contracts. */
export const tableNames: readonly TableName[] = [
  "users",
  "parties",
  "packages",
  "vetting",
  "identityProviders",
  "contracts",
  "holdings",
  "transferInstructions",
  "preapprovals",
];

export function isTableName(name: string): name is TableName {
  return tableNames.some((known) => known === name);
}

/** The rows that a table is built from. */
export function tableOf({ ledger, registry }: WorldState, name: TableName): Table<unknown> {
  switch (name) {
    case "users":
    case "parties":
    case "packages":
    case "identityProviders":
      return ledger[name];
    case "vetting":
      return ledger.synchronizers;
    case "holdings":
    case "transferInstructions":
      return ledger.contracts;
    case "contracts":
      return registry.contracts;
    case "preapprovals":
      return registry.preapprovals;
  }
}

/** Whether a table shows a row. Not every ledger contract is a holding. */
export function isShownIn({ ledger, registry }: WorldState, name: TableName, id: string): boolean {
  if (name !== "holdings" && name !== "transferInstructions") return true;
  const contract = ledger.contracts.get(id);
  if (contract === undefined) return false;
  return (name === "holdings" ? readHolding(contract, registry) : readInstruction(contract)) !== undefined;
}

interface ShownTable {
  readonly columns: string[];
  /** The shown rows from an id on, ordered by id, with readable cell texts. */
  rowsFrom(id: string): Iterable<ShownRow>;
}

interface ShownRow {
  readonly id: string;
  readonly cells: readonly string[];
}

/** Builds a readable table of a world. */
export function shownTable(state: WorldState, name: TableName): ShownTable {
  const { ledger, registry } = state;
  switch (name) {
    case "users":
      return shown(["id", "primary party", "rights", "provider", "version", "annotations"], ledger.users, userCells);
    case "parties":
      return shown(["id", "hosted by", "keys", "provider", "from"], ledger.parties, partyCells(state));
    case "packages":
      return shown(["id", "name", "version", "uploaded", "dependencies"], ledger.packages, (each) => [
        each.name,
        each.version,
        yesNo(each.isUploaded),
        each.dependencies.join(", "),
      ]);
    case "vetting":
      return shown(["id", "synchronizer", "connected", "serial", "vetted"], ledger.synchronizers, vettingCells(state));
    case "identityProviders":
      return shown(["id", "issuer", "keys", "audience", "deactivated"], ledger.identityProviders, (each) => [
        each.issuer,
        each.jwksUrl,
        each.audience,
        yesNo(each.isDeactivated),
      ]);
    case "contracts":
      return shown(
        ["name", "assigned to", "counter", "template", "contract id"],
        registry.contracts,
        contractCells(state),
      );
    case "holdings":
      return shown(
        ["contract id", "owner", "instrument", "amount", "locked for"],
        ledger.contracts,
        holdingCells(state),
      );
    case "transferInstructions":
      return shown(["contract id", "from", "to", "instrument", "amount"], ledger.contracts, instructionCells);
    case "preapprovals":
      return shown(["receiver", "contract", "featured app right"], registry.preapprovals, (each) => [
        each.contract ?? "",
        each.featuredAppRight ?? "",
      ]);
  }
}

/** `cellsOf` returns the cells after the id; undefined for a row that the table does not show. */
function shown<Row>(
  columns: string[],
  table: Table<Row>,
  cellsOf: (row: Row) => readonly string[] | undefined,
): ShownTable {
  return {
    columns,
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
  return ({ hostedBy, awaiting, signingKeys, signingThreshold, identityProviderId, visibleFromMs }: Party) => [
    hostedBy.map((id) => (awaiting.includes(id) ? `${id} (pending)` : id)).join(", "),
    signingKeys.length === 0 ? "" : `${signingThreshold} of ${signingKeys.length}`,
    identityProviderId,
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
