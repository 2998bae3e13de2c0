import { digestOf } from "../digest.ts";
import { noFindings, notApplicable, type TraceRule, withFindings } from "../rule.ts";
import { executionExample } from "../sample-submissions.ts";
import { executionOf, executionOperations } from "./_executions.ts";

/** Two recordings may contain the same exchange, so only a different prepared transaction counts. */
export const updateIdsDiffer: TraceRule = {
  type: "trace",
  id: "update-ids-differ",
  section: "4.2",
  severity: "error",
  summary: "Each executed transaction has its own update id.",
  operations: executionOperations,
  assumesExclusiveUse: false,
  watch(memories) {
    const executed = memories.map<string>();
    return {
      ends(traced) {
        const execution = executionOf(traced);
        if (execution === undefined || execution.preparedTransaction === "") return notApplicable;
        const { updateId } = execution;
        const transaction = digestOf(execution.preparedTransaction);
        const other = executed.get(updateId);
        if (other === undefined) executed.set(updateId, transaction);
        if (other === undefined || other === transaction) return noFindings;
        const expected = "an update id that no other transaction has";
        return withFindings([{ expected, actual: `${updateId}, which another transaction has`, pointer: "/updateId" }]);
      },
    };
  },
  examples: {
    kept: [
      { name: "two transactions", exchanges: [executionExample("YQ==", "ab", 1), executionExample("Yg==", "cd", 2)] },
    ],
    broken: [
      {
        name: "two transactions with the same update id",
        exchanges: [executionExample("YQ==", "ab", 1), executionExample("Yg==", "ab", 2)],
      },
    ],
  },
};
