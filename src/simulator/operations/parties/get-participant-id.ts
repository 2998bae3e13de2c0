import type { Operation } from "../operation.ts";

/** `GET /v2/parties/participant-id`: the participant's id without the prefix PAR:: (facts, ledger-api 1.8). */
export const getParticipantId: Operation = {
  operationId: "getV2PartiesParticipant-id",
  perform: (_call, { ledger }) => ({ type: "succeeded", body: { participantId: ledger.participantId }, changes: [] }),
};
