import type { Operation } from "../operation.ts";

/** `GET /v2/parties/participant-id`: the participant's id without the prefix PAR:: (Canton 3.5, JsPackageService.scala). */
export const getParticipantId: Operation = {
  operationId: "getV2PartiesParticipant-id",
  perform: (_call, { ledger }) => ({ type: "succeeded", body: { participantId: ledger.participantId }, changes: [] }),
};
