import { bytesToHex } from "@noble/hashes/utils.js";
import { isJsonObject, type Json, type JsonObject } from "../../foundation/json/json.ts";
import type { ProbeCall, ProbeContext } from "../probing/probe.ts";

/** The operations of the ledger, in the order of the spec. */
export const ledgerOperations = [
  "postV2Interactive-submissionExecuteandwait",
  "patchV2UsersUser-id",
  "postV2PartiesExternalAllocate",
  "postV2UsersUser-idRights",
  "getV2PackagesPackage-idStatus",
  "getV2Users",
  "getV2Idps",
  "postV2Package-vetting",
] as const;

/** What every ledger probe needs. */
export const asAdministrator = ["ledger", "administratorToken"] as const;

/**
 * One well-formed call of each operation. No call changes anything, because the entities that it names do not exist.
 */
export function harmlessCalls(context: ProbeContext): readonly ProbeCall[] {
  const user = unknownUser(context);
  return [
    { operationId: "postV2Interactive-submissionExecuteandwait", body: emptyExecution(context) },
    updateCall(user, {}, ["is_deactivated"]),
    { operationId: "postV2PartiesExternalAllocate", body: emptyAllocation(context) },
    grantCall(user, []),
    { operationId: "getV2PackagesPackage-idStatus", path: { "package-id": unknownPackage(context) } },
    { operationId: "getV2Users", query: { pageSize: "1" } },
    { operationId: "getV2Idps" },
    {
      operationId: "postV2Package-vetting",
      body: vetting(context, [vet([unknownPackage(context)])], { dryRun: true }),
    },
  ];
}

/** The id of a user that does not exist. */
export function unknownUser({ prefix }: ProbeContext): string {
  return `${prefix}-unknown`;
}

/** The id of a package that does not exist. */
export function unknownPackage({ seededBytes }: ProbeContext): string {
  return bytesToHex(seededBytes("package"));
}

/** The request to execute an empty prepared transaction for an unknown user. */
export function emptyExecution(context: ProbeContext): JsonObject {
  return {
    preparedTransaction: "EgA=",
    partySignatures: { signatures: [] },
    deduplicationPeriod: { Empty: {} },
    submissionId: context.prefix,
    userId: unknownUser(context),
    hashingSchemeVersion: "HASHING_SCHEME_VERSION_V2",
  };
}

/** The request to allocate a party with an empty onboarding transaction. */
export function emptyAllocation(context: ProbeContext): JsonObject {
  return {
    synchronizer: synchronizerOf(context),
    onboardingTransactions: [{ transaction: "AAAA", signatures: [] }],
    multiHashSignatures: [],
    identityProviderId: "",
    userId: unknownUser(context),
  };
}

/** The grant of rights to a user. */
export function grantCall(userId: string, rights: readonly Json[]): ProbeCall {
  return { operationId: "postV2UsersUser-idRights", path: { "user-id": userId }, body: { userId, rights } };
}

/** The update of these members of a user. */
export function updateCall(id: string, members: JsonObject, paths: readonly string[]): ProbeCall {
  return { operationId: "patchV2UsersUser-id", path: { "user-id": id }, body: userUpdate({ id, ...members }, paths) };
}

/** The request to update a user. All members are present, since releases require different ones. */
export function userUpdate(user: JsonObject, paths: readonly string[]): JsonObject {
  const { metadata = {}, ...others } = user;
  return {
    user: {
      primaryParty: "",
      isDeactivated: false,
      identityProviderId: "",
      ...others,
      metadata: { resourceVersion: "", annotations: {}, ...(isJsonObject(metadata) ? metadata : {}) },
    },
    updateMask: { paths, unknownFields: { fields: {} } },
  };
}

export function vetting(context: ProbeContext, changes: readonly Json[], more: JsonObject = {}): JsonObject {
  return { changes, synchronizerId: synchronizerOf(context), ...more };
}

export function vet(packageIds: readonly string[]): JsonObject {
  return { operation: { Vet: { value: { packages: packageIds.map((packageId) => ({ packageId })) } } } };
}

export function unvet(packageIds: readonly string[]): JsonObject {
  return { operation: { Unvet: { value: { packages: packageIds.map((packageId) => ({ packageId })) } } } };
}

/** The known synchronizer, or a generated id. */
function synchronizerOf({ values, prefix, seededBytes }: ProbeContext): string {
  return values.synchronizer ?? `${prefix}::1220${bytesToHex(seededBytes("synchronizer"))}`;
}
