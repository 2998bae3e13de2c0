import { formatJson, type JsonObject } from "../http/json.ts";
import { type Response, textResponse } from "../http/response.ts";
import type { LedgerState } from "../ledger/ledger-state.ts";
import { contracts } from "../spec/contracts.ts";
import { profileNamesOf } from "../spec/spec.ts";

const pageSizeDefault = 1000;

/** An operation outside the document that clients ask first (`contracts/neighbours.yaml`); undefined for any other path. */
export function neighbour(method: string, path: string, profile: string, ledger: LedgerState): Response | undefined {
  if (method !== "GET" || path !== "/v2/version") return undefined;
  return textResponse(200, "application/json", formatJson(versionOf(profile, ledger)));
}

/** The document names no release, so there the newest speaks. */
function versionOf(profile: string, { limits }: LedgerState): JsonObject {
  const name = profile === "document" ? profileNamesOf("ledger").at(-1) : profile;
  const version = contracts.profiles.find((candidate) => candidate.name === name)?.version ?? "";
  return {
    version,
    features: {
      experimental: { staticTime: { supported: false }, commandInspectionService: { supported: true } },
      userManagement: {
        supported: true,
        maxRightsPerUser: limits.rightsPerUserMax,
        maxUsersPageSize: limits.usersPageSizeMax,
      },
      partyManagement: { maxPartiesPageSize: pageSizeDefault },
      offsetCheckpoint: { maxOffsetCheckpointEmissionDelay: { seconds: 75, nanos: 0, unknownFields: { fields: {} } } },
      packageFeature: { maxVettedPackagesPageSize: pageSizeDefault },
    },
  };
}
