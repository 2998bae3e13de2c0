import { vettedPackagesPageSizeMax } from "../_page.ts";
import type { Operation } from "../operation.ts";

/** `GET /v2/version`: the release and its limits; the first request of most clients (Canton 3.5, openapi.yaml). */
export const getVersion: Operation = {
  operationId: "getV2Version",
  perform: ({ release }, { ledger: { limits } }) => ({
    type: "succeeded",
    body: {
      version: release.version,
      features: {
        experimental: { staticTime: { supported: false }, commandInspectionService: { supported: true } },
        userManagement: {
          supported: true,
          maxRightsPerUser: limits.rightsPerUserMax,
          maxUsersPageSize: limits.usersPageSizeMax,
        },
        partyManagement: { maxPartiesPageSize: limits.partiesPageSizeMax },
        offsetCheckpoint: {
          maxOffsetCheckpointEmissionDelay: { seconds: 75, nanos: 0, unknownFields: { fields: {} } },
        },
        packageFeature: { maxVettedPackagesPageSize: vettedPackagesPageSizeMax },
      },
    },
    changes: [],
  }),
};
