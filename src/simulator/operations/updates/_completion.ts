import { type JsonObject, jsonOfInteger } from "../../../foundation/json/json.ts";
import { instantOfMicros, microsOfMs } from "../../daml/daml-json.ts";
import { type LedgerState, type Update, updatesAfter } from "../../ledger/ledger-state.ts";
import type { Release } from "../operation.ts";

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

/** Whose completions are asked for; undefined stands for all. */
interface Completers {
  readonly userId?: string;
  readonly parties: readonly string[] | undefined;
}

/** The completions after an offset, each as an element of a list or stream. A refused submission leaves none: the response to it is the refusal. */
export function* completionElements(
  after: bigint,
  completers: Completers,
  ledger: LedgerState,
  release: Release,
): IterableIterator<JsonObject> {
  for (const update of updatesAfter(after, ledger)) {
    const actAs = actAsIn(update, completers);
    if (actAs.length > 0)
      yield { completionResponse: { Completion: { value: completionJson(update, actAs, release) } } };
  }
}

/** The submitters that are asked for. */
function actAsIn({ userId, submitters }: Update, asked: Completers): readonly string[] {
  if (asked.userId !== undefined && asked.userId !== userId) return [];
  return submitters.filter((party) => asked.parties?.includes(party) ?? true);
}
