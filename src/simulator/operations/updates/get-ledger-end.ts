import type { Operation } from "../operation.ts";

/** `GET /v2/state/ledger-end`: the offset of the last update (Canton 3.5, openapi.yaml). */
export const getLedgerEnd: Operation = {
  operationId: "getV2StateLedger-end",
  perform: (_call, { ledger }) => ({ type: "succeeded", body: { offset: ledger.ledgerEnd }, changes: [] }),
};
