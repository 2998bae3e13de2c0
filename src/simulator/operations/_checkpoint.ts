import { type JsonObject, jsonOfInteger } from "../../foundation/json/json.ts";
import { instantOfMicros, microsOfMs } from "../daml/daml-json.ts";
import type { LedgerState } from "../ledger/ledger-state.ts";

/** The checkpoint at the ledger end: all elements up to it have been sent (Canton 3.5, openapi.yaml). */
export function checkpointJson({ ledgerEnd, synchronizers }: LedgerState): JsonObject {
  return {
    OffsetCheckpoint: { value: { offset: jsonOfInteger(ledgerEnd), synchronizerTimes: recordTimes(synchronizers) } },
  };
}

function recordTimes(synchronizers: LedgerState["synchronizers"]): readonly JsonObject[] {
  return [...synchronizers.values()].flatMap(({ id, recordTimeMs }) =>
    recordTimeMs === undefined ? [] : [{ synchronizerId: id, recordTime: instantOfMicros(microsOfMs(recordTimeMs)) }],
  );
}
