import { textAt } from "../../rules/members.ts";
import { notApplicable, withFindings } from "../../rules/rule.ts";
import { executeExample } from "../../rules/sample-submissions.ts";
import { prepareExample, transfer } from "../_samples.ts";
import { executions, preparation, transactionExecuted, transactionPrepared } from "../_submissions.ts";
import type { ClientRule } from "../client-rule.ts";

const prepared = prepareExample(transfer("1.0"), "YQ==", { userId: "alice" });

/** A missing user id means the user of the token. */
export const executedByPreparingUser: ClientRule = {
  type: "trace",
  id: "executed-by-preparing-user",
  section: "4.2",
  severity: "error",
  sentence: "`userId`, an optional string, is the user id of the prepare request.",
  summary: "A prepared transaction is executed with the user id of its preparation.",
  why: "The user is part of the change id, by which the node detects duplicates. With another user a duplicate is not detected.",
  advice: "Send the `userId` of the prepare request, or omit it in both requests.",
  operations: [preparation, ...executions],
  assumesExclusiveUse: false,
  watch(memories) {
    const users = memories.map<string>();
    return {
      ends(traced) {
        const userId = textAt(traced.requestJson, "userId") ?? "";
        const transaction = transactionPrepared(traced);
        if (transaction !== undefined) users.set(transaction, userId);
        const before = users.get(transactionExecuted(traced) ?? "") ?? "";
        if (before === "" || userId === "") return notApplicable;
        return withFindings(
          before === userId
            ? []
            : [{ expected: `${before}, as in the prepare request`, actual: userId, pointer: "/userId" }],
        );
      },
    };
  },
  examples: {
    kept: [
      { name: "the same user", exchanges: [prepared, executeExample("YQ==", "s", { userId: "alice" })] },
      { name: "the user of the token", exchanges: [prepared, executeExample("YQ==", "s")] },
    ],
    broken: [{ name: "different users", exchanges: [prepared, executeExample("YQ==", "s", { userId: "bob" })] }],
  },
};
