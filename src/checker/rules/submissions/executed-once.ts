import { digestOf } from "../digest.ts";
import { memberAt } from "../members.ts";
import { noFindings, notApplicable, type TracedExchange, type TraceRule, withFindings } from "../rule.ts";
import { executionExample } from "../sample-submissions.ts";
import { executionOf, executionOperations } from "./_executions.ts";

/** After a longer time, the deduplication period of the target may be over, or the target may be a new one. */
const shortestPeriodMs = 600_000;

/**
 * The submission id distinguishes completions of one change id, whose transaction is executed once (Canton 3.5,
 * SubmitRequestValidator.scala), for as long as the request wants it.
 */
export const executedOnce: TraceRule = {
  type: "trace",
  id: "executed-once",
  section: "4.2",
  severity: "error",
  summary: "A prepared transaction is executed only once.",
  operations: executionOperations,
  assumesExclusiveUse: true,
  watch(memories) {
    const executed = memories.map<{ readonly updateId: string; readonly startedMs: number }>();
    return {
      ends(traced) {
        const execution = executionOf(traced);
        if (execution === undefined || execution.preparedTransaction === "" || isLimited(traced)) return notApplicable;
        const { updateId } = execution;
        const startedMs = Date.parse(traced.exchange.startedAt);
        const transaction = digestOf(execution.preparedTransaction);
        const first = executed.get(transaction);
        if (first === undefined) executed.set(transaction, { updateId, startedMs });
        const isSoon = first !== undefined && Math.abs(startedMs - first.startedMs) <= shortestPeriodMs;
        return first === undefined || first.updateId === updateId
          ? noFindings
          : withFindings([
              {
                expected: `409, since the transaction was executed as ${first.updateId}`,
                actual: `200 ${updateId}`,
                pointer: "/updateId",
                basis: isSoon ? undefined : "advice",
                isCertain: true,
              },
            ]);
      },
    };
  },
  examples: {
    kept: [
      { name: "two transactions", exchanges: [executionExample("YQ==", "ab", 1), executionExample("Yg==", "cd", 2)] },
    ],
    broken: [
      {
        name: "one transaction executed twice",
        exchanges: [executionExample("YQ==", "ab", 1), executionExample("YQ==", "cd", 2)],
      },
    ],
  },
};

/** Whether the request has a deduplication period, after which the transaction may be executed again. */
function isLimited({ requestJson }: TracedExchange): boolean {
  const period = memberAt(requestJson, "deduplicationPeriod") ?? {};
  return (
    memberAt(period, "DeduplicationDuration") !== undefined || memberAt(period, "DeduplicationOffset") !== undefined
  );
}
