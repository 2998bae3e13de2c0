import type { LedgerState } from "../ledger/ledger-state.ts";
import { nodeError, type Refusal } from "./refusal.ts";

// Offsets of requests, in the words of a node (Canton 3.5, ParticipantOffsetValidator.scala, UpdateServiceQueryIT).

export function negativeOffset(offset: bigint, field: string): Refusal {
  return nodeError(
    "NEGATIVE_OFFSET",
    `Offset ${offset} in ${field} is a negative integer: the offset in ${field} field has to be a non-negative integer (>=0)`,
  );
}

export function nonPositiveOffset(offset: bigint, field: string): Refusal {
  return nodeError(
    "NON_POSITIVE_OFFSET",
    `Offset ${offset} in ${field} is not a positive integer: the offset has to be a positive integer (>0)`,
  );
}

/** The refusal of the offset after which a list or stream begins; undefined if the ledger has it. */
export function beginProblem(begin: bigint, { ledgerEnd }: LedgerState): Refusal | undefined {
  if (begin < 0n) return negativeOffset(begin, "begin_exclusive");
  return begin > ledgerEnd ? afterLedgerEnd("Begin", begin, ledgerEnd) : undefined;
}

/** The refusal of the offset with which a list or stream ends; undefined if the ledger has it. */
export function endProblem(begin: bigint, end: bigint, { ledgerEnd }: LedgerState): Refusal | undefined {
  if (end <= 0n) return nonPositiveOffset(end, "end_inclusive");
  if (end > ledgerEnd) return afterLedgerEnd("End", end, ledgerEnd);
  return end < begin
    ? nodeError("OFFSET_OUT_OF_RANGE", `End offset ${end} is before begin offset ${begin}.`)
    : undefined;
}

function afterLedgerEnd(which: string, offset: bigint, ledgerEnd: bigint): Refusal {
  return nodeError("OFFSET_AFTER_LEDGER_END", `${which} offset (${offset}) is after ledger end (${ledgerEnd})`);
}
