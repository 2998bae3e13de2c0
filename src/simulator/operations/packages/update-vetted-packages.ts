import type { JsonObject } from "../../../foundation/json/json.ts";
import { objectOf, objectsOf, textOf, textsOf } from "../../../foundation/json/members.ts";
import type { LedgerState, Package, Synchronizer, VettedPackage } from "../../ledger/ledger-state.ts";
import { integerOf } from "../_json-members.ts";
import { connectedSynchronizer, connectedSynchronizers } from "../_synchronizer.ts";
import { isParticipantAdministrator } from "../_user-administrator.ts";
import type { Call, Operation, OperationResult, WorldView } from "../operation.ts";
import { nodeError, type Refusal } from "../refusal.ts";
import { vettedPackagesJson } from "./_vetted-packages-json.ts";
import { readVettingChange, type VettingChange } from "./_vetting-change.ts";
import { checkVetting, type VettingProposal } from "./_vetting-rules.ts";

/** `POST /v2/package-vetting`: changes the vetted packages of this participant (spec §4.2; Canton 3.5, ApiPackageManagementService.scala). */
export const updateVettedPackages: Operation = {
  operationId: "postV2Package-vetting",
  aliases: ["postV2Package-vettingUpdate", "postPackage-vettingUpdate"],
  mayCall: ({ caller }) => isParticipantAdministrator(caller),
  perform: update,
};

const forceFlag = "UPDATE_VETTED_PACKAGES_FORCE_FLAG_";

function update({ body, release, packages }: Call, { ledger }: WorldView): OperationResult {
  const changes: VettingChange[] = [];
  for (const entry of objectsOf(body["changes"])) {
    const read = readVettingChange(entry);
    if (read.type === "refused") return read.refusal;
    changes.push(read.change);
  }
  const found = synchronizerOf(textOf(body["synchronizerId"]), ledger);
  if (found.type !== "found") return found;
  const { synchronizer } = found;
  const misplaced = checkSerial(objectOf(body["expectedTopologySerial"]), synchronizer);
  if (misplaced !== undefined) return misplaced;
  const next = new Map(synchronizer.vetted);
  for (const change of changes) {
    const refusal = applyTo(next, change, ledger);
    if (refusal !== undefined) return refusal;
  }
  const flags = new Set(textsOf(body["updateVettedPackagesForceFlags"]).map((flag) => flag.slice(forceFlag.length)));
  const isChanged = isDifferent(synchronizer.vetted, next);
  const unfit = isChanged ? checkVetting({ next, synchronizer, ledger, flags, release, packages }) : undefined;
  return unfit ?? outcomeOf({ next, synchronizer, ledger, flags, release, packages }, body["dryRun"] === true);
}

/** Applies a change, or refuses a reference that matches no package. */
function applyTo(vetted: Map<string, VettedPackage>, change: VettingChange, ledger: LedgerState): Refusal | undefined {
  for (const reference of change.references) {
    const matching = [...ledger.packages.values()].filter(
      (candidate) => (candidate.isUploaded || change.type === "unvet") && reference.matches(candidate),
    );
    if (change.type === "unvet") for (const { id } of matching) vetted.delete(id);
    else {
      const [found, ...others] = matching;
      if (found === undefined) return unresolved(reference.shown);
      if (others.length > 0) return ambiguous(reference.shown, matching);
      const { validFrom, validUntil } = change;
      vetted.set(found.id, { packageId: found.id, validFrom, validUntil });
    }
  }
  return undefined;
}

function unresolved(reference: string): Refusal {
  return nodeError("UNRESOLVED_VETTING_REFERENCE", `The vetting reference ${reference} matches no package`, {
    context: { reference, reason: "No package matches the reference" },
  });
}

function ambiguous(reference: string, matching: readonly Package[]): Refusal {
  return nodeError("AMBIGUOUS_VETTING_REFERENCE", `The vetting reference ${reference} matches several packages`, {
    context: { reference, matchingPackages: matching.map(({ id }) => id).join(", ") },
  });
}

type FoundSynchronizer = { readonly type: "found"; readonly synchronizer: Synchronizer } | Refusal;

/** The named synchronizer, by logical or physical id, or else the only connected one. */
function synchronizerOf(requested: string, ledger: LedgerState): FoundSynchronizer {
  const connected = connectedSynchronizers(ledger);
  if (requested === "") {
    const [only, ...others] = connected;
    if (only !== undefined && others.length === 0) return { type: "found", synchronizer: only };
    return nodeError(
      "PACKAGE_SERVICE_CANNOT_AUTODETECT_SYNCHRONIZER",
      `Failed to autodetect the synchronizer: the participant is connected to ${connected.length}`,
      { context: { synchronizers: connected.map(({ id }) => id).join(", ") } },
    );
  }
  const synchronizer = connectedSynchronizer(requested, ledger);
  if (synchronizer !== undefined) return { type: "found", synchronizer };
  return nodeError(
    "PACKAGE_SERVICE_NOT_CONNECTED_TO_SYNCHRONIZER",
    `The participant is not connected to the synchronizer ${requested}`,
    { context: { synchronizerId: requested } },
  );
}

function checkSerial(expected: JsonObject, { topologySerial }: Synchronizer): Refusal | undefined {
  const serial = objectOf(expected["serial"]);
  const isNone = serial["NoPrior"] !== undefined;
  const prior = serial["Prior"] === undefined ? undefined : integerOf(objectOf(serial["Prior"])["value"]);
  if (prior !== undefined && prior <= 0n)
    return nodeError("PROTO_DESERIALIZATION_FAILURE", "Deserialization of protobuf message failed", {
      context: { reason: `prior serial ${prior} is not positive` },
    });
  const actual = topologySerial === 0 ? undefined : BigInt(topologySerial);
  if ((prior === undefined && !isNone) || prior === actual) return undefined;
  return nodeError("TOPOLOGY_SERIAL_MISMATCH", "The given serial does not match the current one", {
    context: { actual: optionText(actual), expected: optionText(prior) },
  });
}

/** An optional value in Scala notation, as the node writes it. */
function optionText(value: bigint | undefined): string {
  return value === undefined ? "None" : `Some(${value})`;
}

/** The outcome of a proposal; a dry run has the same body and no changes. */
function outcomeOf({ ledger, synchronizer, next, release }: VettingProposal, isDryRun: boolean): OperationResult {
  const isChanged = isDifferent(synchronizer.vetted, next);
  const topologySerial = synchronizer.topologySerial + (isChanged ? 1 : 0);
  const isNone = topologySerial === 0 && !release.isByLetter;
  const body = {
    pastVettedPackages: synchronizer.topologySerial === 0 ? null : vettedPackagesJson(ledger, synchronizer),
    newVettedPackages: isNone ? null : vettedPackagesJson(ledger, { ...synchronizer, topologySerial, vetted: next }),
  };
  const isApplied = isChanged && !isDryRun;
  const change = { type: "packages-vetted", synchronizerId: synchronizer.id, vetted: [...next.values()] } as const;
  const changes = isApplied ? [change] : [];
  return { type: "succeeded", body, changes };
}

function isDifferent(before: ReadonlyMap<string, VettedPackage>, after: ReadonlyMap<string, VettedPackage>): boolean {
  if (before.size !== after.size) return true;
  return [...after].some(([id, row]) => {
    const known = before.get(id);
    return known === undefined || known.validFrom !== row.validFrom || known.validUntil !== row.validUntil;
  });
}
