import type { Json, JsonObject } from "../../foundation/json/json.ts";
import { objectOf, objectsOf, textOf } from "../../foundation/json/members.ts";
import { decodePreparedTransaction } from "../../foundation/protobuf/prepared-transaction.ts";
import { isIdentifier } from "../../foundation/spec/identifiers.ts";
import type { RecordedCall } from "./recorded-call.ts";

/** Limit of transactions in one recording. */
const declaredMax = 10_000;

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
  /** Signers of executed transactions that are no protobuf messages: the fixture has to declare them. */
  readonly #declared = new Map<string, Set<string>>();
  #commits = 0n;
  #ledgerEnd: bigint | undefined;

  /** Notes a call. Returns the submitters of a transaction that the node has read; undefined for another call. */
  note({ operation, status, errorCode, body, response }: RecordedCall): readonly string[] | undefined {
    const { offset, completionOffset, transaction } = objectOf(response);
    if (operation.operationId === "getV2StateLedger-end" && status === 200) this.#noteOffset(offset);
    if (!executions.has(operation.operationId)) return undefined;
    const { preparedTransaction, partySignatures } = objectOf(body);
    const signers = objectsOf(objectOf(partySignatures)["signatures"]).map(({ party }) => textOf(party));
    if (status !== 200 && !readCodes.has(errorCode)) return undefined;
    this.#declare(textOf(preparedTransaction), signers);
    if (status === 200) this.#commits += 1n;
    this.#noteOffset(completionOffset ?? objectOf(transaction)["offset"]);
    return signers;
  }

  get ledgerEnd(): Json | undefined {
    const end = this.#ledgerEnd ?? 0n;
    if (end <= 0n) return undefined;
    return end > BigInt(Number.MAX_SAFE_INTEGER) ? end.toString() : Number(end);
  }

  /** The transactions as declared in a fixture. No response shows their effects. */
  rows(): readonly JsonObject[] {
    return [...this.#declared].map(([value, actAs], index) => ({
      value,
      actAs: [...actAs],
      commandId: `command-${index + 1}`,
    }));
  }

  /** Offsets grow with every update, so the first one in a response shows the initial ledger end. */
  #noteOffset(offset: Json | undefined): void {
    if ((typeof offset === "number" && Number.isInteger(offset)) || typeof offset === "bigint")
      this.#ledgerEnd ??= BigInt(offset) - this.#commits;
  }

  #declare(value: string, signers: readonly string[]): void {
    const isOpaque = isIdentifier("createdEventBlob", value) && decodePreparedTransaction(value) === undefined;
    if (!isOpaque || signers.length === 0 || this.#declared.size >= declaredMax) return;
    this.#declared.set(value, new Set([...(this.#declared.get(value) ?? []), ...signers]));
  }
}
