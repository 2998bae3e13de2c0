import { jsonOfInteger } from "../../../foundation/json/json.ts";
import { instantOfMicros, microsOfMs } from "../../daml/daml-json.ts";
import type { LedgerState } from "../../ledger/ledger-state.ts";
import type { Operation } from "../operation.ts";

/** `GET /v2/state/ledger-end`: the offset of the last update, and the last record time of each synchronizer (Canton 3.5 and 3.6, openapi.yaml). */
export const getLedgerEnd: Operation = {
  operationId: "getV2StateLedger-end",
  perform({ release }, { ledger }) {
    const times = release.hasTransactionHashes ? { synchronizerTimes: synchronizerTimes(ledger) } : {};
    return { type: "succeeded", body: { offset: jsonOfInteger(ledger.ledgerEnd), ...times }, changes: [] };
  },
};

function synchronizerTimes({ synchronizers }: LedgerState) {
  return [...synchronizers.values()].flatMap(({ id, recordTimeMs }) =>
    recordTimeMs === undefined ? [] : [{ synchronizerId: id, recordTime: instantOfMicros(microsOfMs(recordTimeMs)) }],
  );
}
