import type { Json } from "../../foundation/json/json.ts";
import { objectOf, objectsOf, textOf } from "../../foundation/json/members.ts";
import type { RecordedCall } from "./recorded-call.ts";

const executions: ReadonlySet<string> = new Set([
  "postV2Interactive-submissionExecute",
  "postV2Interactive-submissionExecuteandwait",
  "postV2Interactive-submissionExecuteandwaitfortransaction",
]);

/** Errors of transactions that the node has read. */
const readCodes: ReadonlySet<string> = new Set([
  "DUPLICATE_COMMAND",
  "FAILED_TO_EXECUTE_TRANSACTION",
  "REQUEST_TIME_OUT",
]);

/** The executed transactions, and the initial ledger end. */
export class SeenExecutions {
  #commits = 0n;
  #ledgerEnd: bigint | undefined;

  /** Notes a call. Returns the submitters of a transaction that the node has read; undefined for another call. */
  note({ operation, status, errorCode, body, response }: RecordedCall): readonly string[] | undefined {
    const { offset, completionOffset, transaction } = objectOf(response);
    if (operation.operationId === "getV2StateLedger-end" && status === 200) this.#noteOffset(offset);
    if (!executions.has(operation.operationId) || (status !== 200 && !readCodes.has(errorCode))) return undefined;
    if (status === 200) this.#commits += 1n;
    this.#noteOffset(completionOffset ?? objectOf(transaction)["offset"]);
    return objectsOf(objectOf(objectOf(body)["partySignatures"])["signatures"]).map(({ party }) => textOf(party));
  }

  get ledgerEnd(): Json | undefined {
    const end = this.#ledgerEnd ?? 0n;
    if (end <= 0n) return undefined;
    return end > BigInt(Number.MAX_SAFE_INTEGER) ? end.toString() : Number(end);
  }

  /** Offsets grow with every update, so the first one in a response shows the initial ledger end. */
  #noteOffset(offset: Json | undefined): void {
    if ((typeof offset === "number" && Number.isInteger(offset)) || typeof offset === "bigint")
      this.#ledgerEnd ??= BigInt(offset) - this.#commits;
  }
}
