import type { Operation } from "../operation.ts";

/** `GET /v2/state/ledger-end`: the offset of the last update (facts, ledger-api 6). */
export const getLedgerEnd: Operation = {
  operationId: "getV2StateLedger-end",
  perform: (_call, { ledger }) => ({ type: "succeeded", body: { offset: ledger.ledgerEnd }, changes: [] }),
};
