import type { JsonObject } from "../../../foundation/json/json.ts";
import { objectOf } from "../../../foundation/json/members.ts";
import type { CompletedCommand, LedgerState } from "../../ledger/ledger-state.ts";
import { integerOf } from "../_json-members.ts";
import { nodeError, type Refusal } from "../refusal.ts";
import type { Submission } from "./_submission.ts";

/** The deduplication key: user, command id and set of submitters. */
export function changeIdOf(userId: string, { commandId, actAs }: Pick<Submission, "commandId" | "actAs">): string {
  return JSON.stringify([userId, commandId, [...new Set(actAs)].sort()]);
}

/** Refuses a change that already succeeded within the period (Canton 3.5, SubmitRequestValidator.scala). */
export function checkDuplicate(
  body: JsonObject,
  earlier: CompletedCommand | undefined,
  { limits, ledgerEnd }: LedgerState,
  nowMs: number,
): Refusal | undefined {
  const period = objectOf(body["deduplicationPeriod"]);
  const offset = integerOf(objectOf(period["DeduplicationOffset"])["value"]);
  const requested = periodMsOf(period);
  if (
    (requested !== undefined && requested > limits.deduplicationMsMax) ||
    (offset !== undefined && offset > ledgerEnd)
  )
    return nodeError("INVALID_DEDUPLICATION_PERIOD", "The deduplication period cannot be honoured", {
      context: { longest_duration: `PT${limits.deduplicationMsMax / 1000}S` },
    });
  if (earlier === undefined) return undefined;
  const isWithin =
    offset === undefined
      ? nowMs - earlier.completedAtMs <= (requested ?? limits.deduplicationMsMax)
      : earlier.offset > offset;
  if (!isWithin) return undefined;
  return nodeError("DUPLICATE_COMMAND", "A command with the given command id has already been successfully processed", {
    context: { existing_submission_id: earlier.submissionId },
    explanation: `(submission id ${JSON.stringify(earlier.submissionId)}, offset ${earlier.offset}). It took effect once: take its result, and do not send it again with a new command id.`,
  });
}

function periodMsOf(period: JsonObject): number | undefined {
  if (period["DeduplicationDuration"] === undefined) return undefined;
  const duration = objectOf(objectOf(period["DeduplicationDuration"])["value"]);
  return Number(integerOf(duration["seconds"]) ?? 0n) * 1000 + Number(integerOf(duration["nanos"]) ?? 0n) / 1e6;
}
