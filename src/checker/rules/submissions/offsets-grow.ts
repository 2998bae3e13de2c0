import { digestOf } from "../digest.ts";
import { noFindings, notApplicable, type TraceRule, withFindings } from "../rule.ts";
import { executionExample, executionOf, executionOperations } from "./_executions.ts";

/** Recent executions that may overlap with the next one. */
const recentMax = 1000;

/** The spec only calls it an offset; ledger offsets increase (Canton 3.5, SubmitRequestValidator.scala). */
export const offsetsGrow: TraceRule = {
  type: "trace",
  id: "offsets-grow",
  section: "4.2",
  severity: "warning",
  summary: "A transaction that begins after another one has completed has a higher completion offset.",
  operations: executionOperations,
  assumesExclusiveUse: false,
  watch(memories) {
    // Two recordings with different clocks may contain the same execution.
    const met = memories.map<true>();
    // Sorted by end, the order in which exchanges arrive.
    const recent: { readonly end: number; readonly offset: bigint; readonly updateId: string }[] = [];
    let settled: { readonly offset: bigint; readonly updateId: string } | undefined;
    return {
      ends(traced) {
        const execution = executionOf(traced);
        if (execution === undefined) return notApplicable;
        const [offset, updateId] = [execution.offset, digestOf(execution.updateId)];
        if (met.get(updateId) === true) return notApplicable;
        met.set(updateId, true);
        for (let next = recent[0]; next !== undefined && next.end < traced.span.start; next = recent[0]) {
          if (settled === undefined || next.offset > settled.offset) settled = next;
          recent.shift();
        }
        if (recent.length < recentMax) recent.push({ end: traced.span.end, offset, updateId });
        return settled === undefined || offset > settled.offset || updateId === settled.updateId
          ? noFindings
          : withFindings([
              { expected: `more than ${settled.offset}`, actual: String(offset), pointer: "/completionOffset" },
            ]);
      },
    };
  },
  examples: {
    kept: [
      { name: "a higher offset", exchanges: [executionExample("YQ==", "ab", 1), executionExample("Yg==", "cd", 2)] },
    ],
    broken: [
      { name: "the same offset", exchanges: [executionExample("YQ==", "ab", 1), executionExample("Yg==", "cd", 1)] },
    ],
  },
};
