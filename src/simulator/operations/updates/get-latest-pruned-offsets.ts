import type { Operation } from "../operation.ts";

/** `GET /v2/state/latest-pruned-offsets`: 0, since a stub prunes nothing (Canton 3.5, openapi.yaml). */
export const getLatestPrunedOffsets: Operation = {
  operationId: "getV2StateLatest-pruned-offsets",
  perform: () => ({
    type: "succeeded",
    body: { participantPrunedUpToInclusive: 0, allDivulgedContractsPrunedUpToInclusive: 0 },
    changes: [],
  }),
};
