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

/** What a probe of a ledger needs at least. */
export const asAdministrator = ["ledger", "administratorToken"] as const;

/** One well-formed call of each operation that changes nothing, whoever sends it: what it names is not there. */
export function harmlessCalls(context: ProbeContext): readonly ProbeCall[] {
  const user = unknownUser(context);
  return [
    { operationId: "postV2Interactive-submissionExecuteandwait", body: emptyExecution(context) },
    {
      operationId: "patchV2UsersUser-id",
      path: { "user-id": user },
      body: userUpdate({ id: user }, ["is_deactivated"]),
    },
    { operationId: "postV2PartiesExternalAllocate", body: emptyAllocation(context) },
    { operationId: "postV2UsersUser-idRights", path: { "user-id": user }, body: { userId: user, rights: [] } },
    { operationId: "getV2PackagesPackage-idStatus", path: { "package-id": unknownPackage(context) } },
    { operationId: "getV2Users", query: { pageSize: "1" } },
    { operationId: "getV2Idps" },
    {
      operationId: "postV2Package-vetting",
      body: vetting(context, [vet([unknownPackage(context)])], { dryRun: true }),
    },
  ];
}

/** A user that there is not. */
export function unknownUser({ prefix }: ProbeContext): string {
  return `${prefix}-nobody`;
}

/** A package that there is not. */
export function unknownPackage({ seededBytes }: ProbeContext): string {
  return bytesToHex(seededBytes("package"));
}

/** A prepared transaction without a transaction in it, in the name of a user that there is not. */
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

/** Onboarding by a transaction that says nothing. */
export function emptyAllocation(context: ProbeContext): JsonObject {
  return {
    synchronizer: synchronizerOf(context),
    onboardingTransactions: [{ transaction: "AAAA", signatures: [] }],
    multiHashSignatures: [],
    identityProviderId: "",
    userId: unknownUser(context),
  };
}

/** Every member of a user is there, for releases differ in which of them they demand. */
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

/** One that there is, where any is known. */
function synchronizerOf({ values, prefix, seededBytes }: ProbeContext): string {
  return values.synchronizer ?? `${prefix}::1220${bytesToHex(seededBytes("synchronizer"))}`;
}
