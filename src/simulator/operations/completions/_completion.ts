import { type JsonObject, jsonOfInteger } from "../../../foundation/json/json.ts";
import { instantOfMicros, microsOfMs } from "../../daml/daml-json.ts";
import { type LedgerState, type Update, updatesAfter } from "../../ledger/ledger-state.ts";
import { checkpointJson } from "../_checkpoint.ts";
import type { ElementStream, Release } from "../operation.ts";

/** The completion of a submission that succeeded, for some of its submitters (Canton 3.5, openapi.yaml). */
export function completionJson(update: Update, actAs: readonly string[], release: Release): JsonObject {
  return {
    commandId: update.commandId,
    status: { code: 0, message: "", details: [] },
    updateId: update.updateId,
    userId: update.userId,
    actAs,
    submissionId: update.submissionId,
    deduplicationPeriod: { Empty: {} },
    traceContext: null,
    offset: jsonOfInteger(update.offset),
    synchronizerTime: {
      synchronizerId: update.synchronizerId,
      recordTime: instantOfMicros(microsOfMs(update.committedAtMs)),
    },
    paidTrafficCost: update.paidTrafficCost ?? 0,
    ...(release.hasTransactionHashes ? { transactionHash: update.transactionHash ?? "" } : {}),
  };
}

/** The completions that a request asks for; an absent user or parties stand for all. */
export interface WantedCompletions {
  readonly type: "wanted";
  readonly after: bigint;
  readonly userId?: string;
  readonly parties: readonly string[] | undefined;
}

/** The completions after an offset, each as an element of a list or stream. A refused submission leaves none: the response to it is the refusal. */
export function* completionElements(
  wanted: WantedCompletions,
  ledger: LedgerState,
  release: Release,
): IterableIterator<JsonObject> {
  for (const update of updatesAfter(wanted.after, ledger)) {
    const actAs = actAsIn(update, wanted);
    if (actAs.length > 0)
      yield { completionResponse: { Completion: { value: completionJson(update, actAs, release) } } };
  }
}

/** The wanted completions as a stream, which does not end. */
export function completionStream(wanted: WantedCompletions, release: Release): ElementStream {
  let { after } = wanted;
  return {
    type: "stream",
    isFinite: false,
    read({ ledger }) {
      if (ledger.ledgerEnd < after) return undefined;
      const elements = [...completionElements({ ...wanted, after }, ledger, release)];
      after = ledger.ledgerEnd;
      return elements;
    },
    checkpoint: ({ ledger }) => ({ completionResponse: checkpointJson(ledger) }),
  };
}

/** The submitters that are asked for. */
function actAsIn({ userId, submitters }: Update, wanted: WantedCompletions): readonly string[] {
  if (wanted.userId !== undefined && wanted.userId !== userId) return [];
  return submitters.filter((party) => wanted.parties?.includes(party) ?? true);
}
