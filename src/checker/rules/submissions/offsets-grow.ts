import { digestOf } from "../digest.ts";
import { memberAt } from "../members.ts";
import {
  type Finding,
  noFindings,
  notApplicable,
  type RuleExample,
  type TracedExchange,
  type TraceRule,
  withFindings,
} from "../rule.ts";
import { executionExample } from "../sample-submissions.ts";
import { executionOf, executionOperations } from "./_executions.ts";

/** An additional operation, which shows the end of the ledger. */
const ledgerEnd = "getV2StateLedger-end";

/** After a longer time, the target may be a new one, whose ledger is empty. */
const resetAfterMs = 600_000;

/** An offset in a response, with a digest of its update; empty for the end of the ledger. */
interface ShownOffset {
  readonly offset: bigint;
  readonly updateId: string;
  readonly startedMs: number;
}

/** Recent executions that may overlap with the next one. */
const recentMax = 1000;

/** The spec calls it an offset: a place in the ledger, which grows (Canton 3.5, SubmitRequestValidator.scala). */
export const offsetsGrow: TraceRule = {
  type: "trace",
  id: "offsets-grow",
  section: "4.2",
  severity: "error",
  summary:
    "A transaction that begins after another one has completed has a higher completion offset, and the ledger end is never below it.",
  operations: [...executionOperations, ledgerEnd],
  assumesExclusiveUse: true,
  watch(memories) {
    // Two recordings with different clocks may contain the same execution.
    const met = memories.map<true>();
    // Sorted by end, the order in which exchanges arrive.
    const recent: (ShownOffset & { readonly end: number })[] = [];
    let settled: ShownOffset | undefined;
    return {
      ends(traced) {
        const shown = offsetIn(traced);
        if (shown === undefined || (shown.updateId !== "" && met.get(shown.updateId) === true)) return notApplicable;
        if (shown.updateId !== "") met.set(shown.updateId, true);
        for (let next = recent[0]; next !== undefined && next.end < traced.span.start; next = recent[0]) {
          if (settled === undefined || next.offset > settled.offset) settled = next;
          recent.shift();
        }
        if (recent.length < recentMax) recent.push({ end: traced.span.end, ...shown });
        return settled === undefined || isBeyond(shown, settled) ? noFindings : withFindings([tooLow(shown, settled)]);
      },
    };
  },
  examples: {
    kept: [
      {
        name: "offsets between two ends of the ledger",
        exchanges: [endExample(5), executionExample("YQ==", "ab", 6), endExample(6), executionExample("Yg==", "cd", 8)],
      },
      { name: "a higher offset", exchanges: [executionExample("YQ==", "ab", 1), executionExample("Yg==", "cd", 2)] },
    ],
    broken: [
      { name: "a lower offset", exchanges: [executionExample("YQ==", "ab", 2), executionExample("Yg==", "cd", 1)] },
      { name: "an offset that the ledger had before", exchanges: [endExample(5), executionExample("YQ==", "ab", 4)] },
      { name: "an offset beyond the end of the ledger", exchanges: [executionExample("YQ==", "ab", 9), endExample(8)] },
      { name: "the same offset", exchanges: [executionExample("YQ==", "ab", 1), executionExample("Yg==", "cd", 1)] },
    ],
  },
};

function endExample(offset: number): Omit<RuleExample, "name"> {
  return { operationId: ledgerEnd, target: "/v2/state/ledger-end", status: 200, body: JSON.stringify({ offset }) };
}

function offsetIn(traced: TracedExchange): ShownOffset | undefined {
  const startedMs = Date.parse(traced.exchange.startedAt);
  if (traced.operation.operationId !== ledgerEnd) {
    const execution = executionOf(traced);
    return execution && { offset: execution.offset, updateId: digestOf(execution.updateId), startedMs };
  }
  const offset = traced.status === 200 ? memberAt(traced.responseJson, "offset") : undefined;
  const isWhole = typeof offset === "bigint" || (typeof offset === "number" && Number.isInteger(offset));
  return isWhole ? { offset: BigInt(offset), updateId: "", startedMs } : undefined;
}

/** The end of the ledger may stay; a transaction has its own offset. */
function isBeyond(shown: ShownOffset, settled: ShownOffset): boolean {
  if (shown.offset > settled.offset) return true;
  return shown.updateId === "" ? shown.offset === settled.offset : shown.updateId === settled.updateId;
}

function tooLow({ offset, updateId, startedMs }: ShownOffset, settled: ShownOffset): Finding {
  const isCertain = Math.abs(startedMs - settled.startedMs) <= resetAfterMs;
  const actual = String(offset);
  return updateId === ""
    ? { expected: `at least ${settled.offset}`, actual, pointer: "/offset", isCertain }
    : { expected: `more than ${settled.offset}`, actual, pointer: "/completionOffset", isCertain };
}
