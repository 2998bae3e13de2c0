import { textAt } from "../../rules/members.ts";
import { notApplicable, withFindings } from "../../rules/rule.ts";
import { executeExample, prepareExample, transfer } from "../_samples.ts";
import { executions, preparation, transactionExecuted, transactionPrepared } from "../_submissions.ts";
import type { ClientRule } from "../client-rule.ts";

const prepared = prepareExample(transfer("1.0"), "YQ==", { userId: "alice" });

/** Where one of the two names no user, the node takes that of the token. */
export const executedByPreparingUser: ClientRule = {
  type: "trace",
  id: "executed-by-preparing-user",
  section: "4.2",
  severity: "error",
  sentence: "As the user_id of the prepare request.",
  summary: "A prepared transaction is executed for the user for whom it was prepared.",
  why: "The user is part of the change id, by which the node tells duplicates. Under another user a second submission of the same command is not known as one.",
  advice: "Send the `userId` of the prepare request, or leave it out in both.",
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
      { name: "one user", exchanges: [prepared, executeExample("YQ==", "s", { userId: "alice" })] },
      { name: "the user of the token", exchanges: [prepared, executeExample("YQ==", "s")] },
    ],
    broken: [{ name: "two users", exchanges: [prepared, executeExample("YQ==", "s", { userId: "bob" })] }],
  },
};
