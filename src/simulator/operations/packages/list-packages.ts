import type { Operation } from "../operation.ts";

/** `GET /v2/packages`: the ids of all packages that the node has (Canton 3.5, openapi.yaml). */
export const listPackages: Operation = {
  operationId: "getV2Packages",
  perform: (_call, { ledger }) => {
    const uploaded = [...ledger.packages.values()].filter(({ isUploaded }) => isUploaded);
    return { type: "succeeded", body: { packageIds: uploaded.map(({ id }) => id) }, changes: [] };
  },
};
