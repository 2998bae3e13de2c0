import type { Operation } from "../operation.ts";

/** `GET /registry/metadata/v1/info`: the administrator of the registry, and its APIs (Splice 0.7, the metadata API of the token standard). */
export const getRegistryInfo: Operation = {
  operationId: "getRegistryInfo",
  perform: (_call, { registry }) => ({
    type: "succeeded",
    body: { adminId: registry.admin, supportedApis: { "splice-api-token-metadata-v1": 1 } },
    changes: [],
  }),
};
