import type { Operation } from "../operation.ts";

/** `GET /registry/metadata/v1/info`: who administers the registry, and what it serves (facts, registry 1.3). */
export const getRegistryInfo: Operation = {
  operationId: "getRegistryInfo",
  perform: (_call, { registry }) => ({
    type: "succeeded",
    body: { adminId: registry.admin, supportedApis: { "splice-api-token-metadata-v1": 1 } },
    changes: [],
  }),
};
