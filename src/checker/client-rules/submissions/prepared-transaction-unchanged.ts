import { encodePreparedTransaction } from "../../../foundation/protobuf/prepared-transaction.ts";
import { textAt } from "../../rules/members.ts";
import { notApplicable, withFindings } from "../../rules/rule.ts";
import { executeExample } from "../../rules/sample-submissions.ts";
import { prepareExample, transfer } from "../_samples.ts";
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

/** The node puts a unique UUID into each prepared transaction, so the rule recognizes a changed one. */
export const preparedTransactionUnchanged: ClientRule = {
  type: "trace",
  id: "prepared-transaction-unchanged",
  section: "4.2",
  severity: "warning",
  sentence:
    "`preparedTransaction`, a required string, is normally the prepared transaction in the response to a prepare request.",
  summary: "A prepared transaction is executed unchanged.",
  why: "Signatures cover the hash of the prepared transaction. Decoding and encoding it again may lose fields unknown to the encoder, and then no signature is valid.",
  advice: "Keep `preparedTransaction` as text: decode it only for display, and send it unchanged.",
  operations: [preparation, ...executions],
  assumesExclusiveUse: false,
  watch(memories) {
    const byUuid = memories.map<readonly string[]>();
    /** The UUIDs of prepared transactions by digest: a transaction that is executed unchanged is not decoded again. */
    const uuids = memories.cache<string>();
    let hasPreparations = false;
    return {
      ends(traced) {
        const made = transactionPrepared(traced);
        const sent = transactionExecuted(traced);
        // Without a preparation there is nothing to compare, and the transaction is not decoded.
        if (made === undefined && !hasPreparations) return notApplicable;
        const text = textAt(made === undefined ? traced.requestJson : traced.responseJson, "preparedTransaction");
        const uuid = uuids.get(made ?? sent ?? "") ?? traced.preparedOf(text ?? "").uuid();
        if (uuid === "") return notApplicable;
        const known = byUuid.get(uuid) ?? [];
        if (made !== undefined) {
          byUuid.set(uuid, [...known.slice(-9), made]);
          uuids.set(made, uuid);
          hasPreparations = true;
        }
        if (sent === undefined || known.length === 0) return notApplicable;
        const expected = "the transaction of the prepare response";
        const actual = `another transaction with the UUID ${uuid}`;
        return withFindings(known.includes(sent) ? [] : [{ expected, actual, pointer: "/preparedTransaction" }]);
      },
    };
  },
  examples: {
    kept: [
      { name: "the prepared transaction", exchanges: [prepared, executeExample(sample("c"), "s")] },
      {
        name: "the prepared transaction without base64 padding",
        exchanges: [prepared, executeExample(sample("c").replace(/=+$/, ""), "s")],
      },
      { name: "a transaction prepared elsewhere", exchanges: [prepared, executeExample(sample("c", "7c21"), "s")] },
    ],
    broken: [{ name: "a changed command id", exchanges: [prepared, executeExample(sample("d"), "s")] }],
  },
};
