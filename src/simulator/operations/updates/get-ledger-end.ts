import { jsonOfInteger } from "../../../foundation/json/json.ts";
import { textsOf } from "../../../foundation/json/members.ts";
import { instantOfMicros, microsOfMs } from "../../daml/daml-json.ts";
import type { LedgerState } from "../../ledger/ledger-state.ts";
import type { Operation } from "../operation.ts";

/** `GET /v2/state/ledger-end`: the offset of the last update, and the last record times of the requested synchronizers (Canton 3.5 and 3.6.1, openapi.yaml). */
export const getLedgerEnd: Operation = {
  operationId: "getV2StateLedger-end",
  perform({ release, query }, { ledger }) {
    const times = release.hasTransactionHashes
      ? { synchronizerTimes: synchronizerTimes(textsOf(query["synchronizer_id"]), ledger) }
      : {};
    return { type: "succeeded", body: { offset: jsonOfInteger(ledger.ledgerEnd), ...times }, changes: [] };
  },
};

/** An id may be the physical one. */
function synchronizerTimes(requested: readonly string[], { synchronizers }: LedgerState) {
  return [...synchronizers.values()].flatMap(({ id, recordTimeMs }) =>
    recordTimeMs === undefined || !requested.some((name) => name === id || name.startsWith(`${id}::`))
      ? []
      : [{ synchronizerId: id, recordTime: instantOfMicros(microsOfMs(recordTimeMs)) }],
  );
}
