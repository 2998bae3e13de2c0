import {
  decodePreparedTransaction,
  encodePreparedTransaction,
} from "../../../foundation/protobuf/prepared-transaction.ts";
import { textAt } from "../../rules/members.ts";
import { notApplicable, withFindings } from "../../rules/rule.ts";
import { executeExample, prepareExample, transfer } from "../_samples.ts";
import { executions, preparation, transactionExecuted, transactionPrepared } from "../_submissions.ts";
import type { ClientRule } from "../client-rule.ts";

const sample = (commandId: string, transactionUuid = "3f9a") =>
  encodePreparedTransaction({
    transaction: undefined,
    metadata: {
      actAs: ["alice::1220ab"],
      commandId,
      synchronizerId: "a::1220ab",
      mediatorGroup: 0,
      transactionUuid,
      preparationTimeMicros: 1n,
      minLedgerTimeMicros: undefined,
      maxLedgerTimeMicros: undefined,
      maxRecordTimeMicros: undefined,
      inputContracts: [],
    },
  });
const prepared = prepareExample(transfer("1.0"), sample("c"));

/** A node gives each preparation a UUID of its own, which stands in the transaction; so what was changed is known again. */
export const preparedTransactionUnchanged: ClientRule = {
  type: "trace",
  id: "prepared-transaction-unchanged",
  section: "4.2",
  severity: "warning",
  sentence: "Typically the `prepared_transaction` value of the response of a prepareSubmission call.",
  summary: "A prepared transaction is executed as the preparation gave it.",
  why: "Signatures are over the hash of what was prepared. A transaction that was decoded and encoded again may lose what the encoder does not know, and then no signature is valid.",
  advice: "Keep `preparedTransaction` as a text; decode it to show it, and send what came.",
  operations: [preparation, ...executions],
  assumesExclusiveUse: false,
  watch(memories) {
    const byUuid = memories.map<readonly string[]>();
    return {
      ends(traced) {
        const made = transactionPrepared(traced);
        const sent = transactionExecuted(traced);
        const uuid = uuidOf(
          textAt(made === undefined ? traced.requestJson : traced.responseJson, "preparedTransaction"),
        );
        if (uuid === "") return notApplicable;
        const known = byUuid.get(uuid) ?? [];
        if (made !== undefined) byUuid.set(uuid, [...known.slice(-9), made]);
        if (sent === undefined || known.length === 0) return notApplicable;
        const expected = "the transaction as the preparation gave it";
        const actual = `another one with its UUID ${uuid}`;
        return withFindings(known.includes(sent) ? [] : [{ expected, actual, pointer: "/preparedTransaction" }]);
      },
    };
  },
  examples: {
    kept: [
      { name: "what was prepared", exchanges: [prepared, executeExample(sample("c"), "s")] },
      { name: "the same without padding", exchanges: [prepared, executeExample(sample("c").replace(/=+$/, ""), "s")] },
      { name: "what was prepared elsewhere", exchanges: [prepared, executeExample(sample("c", "7c21"), "s")] },
    ],
    broken: [{ name: "another command id", exchanges: [prepared, executeExample(sample("d"), "s")] }],
  },
};

function uuidOf(preparedTransaction: string | undefined): string {
  if (preparedTransaction === undefined || preparedTransaction === "") return "";
  return decodePreparedTransaction(preparedTransaction)?.metadata?.transactionUuid ?? "";
}
