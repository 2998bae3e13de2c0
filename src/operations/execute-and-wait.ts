import type { JsonObject } from "../http/json.ts";
import type { CompletedCommand, LedgerState } from "../ledger/ledger-state.ts";
import { seededHex } from "../ledger/seeded-hex.ts";
import { effectOf } from "../registry/transaction-effect.ts";
import { integerOf, objectOf, textOf } from "./_json-members.ts";
import type { Call, Operation, Outcome, WorldView } from "./_operation.ts";
import { jsonLayerError, nodeError, type Refusal } from "./_refusal.ts";
import { type Submission, submissionOf } from "./_submission.ts";
import { checkExecutable, checkForm, notExecuted } from "./_submission-checks.ts";

/** `POST /v2/interactive-submission/executeAndWait`: executes a prepared transaction once (document 4.2; facts, ledger-api 4.1). */
export const executeAndWait: Operation = {
  operationId: "postV2Interactive-submissionExecuteandwait",
  precheck: ({ body }, { registry }) =>
    submissionOf(textOf(body["preparedTransaction"]), registry) === undefined
      ? jsonLayerError("INVALID_ARGUMENT", "The prepared transaction is not a PreparedTransaction protobuf")
      : undefined,
  mayCall,
  perform: execute,
};

/** The user is the token's, and may act or execute as every submitter (facts, ledger-api 2.5). */
function mayCall({ caller, body }: Call, { ledger, registry }: WorldView): boolean {
  if (caller.type !== "user") return caller.type === "everyone";
  const userId = textOf(body["userId"]);
  const rights = ledger.users.get(caller.userId)?.rights;
  const submitters = submissionOf(textOf(body["preparedTransaction"]), registry)?.actAs ?? [];
  const mayExecuteAs = (party: string) =>
    rights?.has("CanExecuteAsAnyParty") === true ||
    rights?.has(`CanActAs ${party}`) === true ||
    rights?.has(`CanExecuteAs ${party}`) === true;
  return (userId === "" || userId === caller.userId) && submitters.every(mayExecuteAs);
}

function execute(call: Call, world: WorldView): Outcome {
  const { ledger, registry, nowMs, seed } = world;
  const submission = submissionOf(textOf(call.body["preparedTransaction"]), registry);
  if (submission === undefined) throw new Error("invariant: the prepared transaction was decoded before");
  const userId = userIdOf(call);
  if (userId === undefined)
    return nodeError("INVALID_TOKEN", "The submitted request is missing a user_id and it cannot be defaulted");
  const unfit = checkForm(call.body, submission);
  if (unfit !== undefined) return unfit;
  const key = JSON.stringify([userId, submission.commandId, [...submission.actAs].sort()]);
  const offset = ledger.ledgerEnd + 1n;
  const submissionId = textOf(call.body["submissionId"]) || seededHex(seed, "submission", Number(offset), 32);
  const refusal =
    checkDuplicate(objectOf(call.body["deduplicationPeriod"]), ledger.commands.get(key), ledger, nowMs) ??
    checkExecutable(submission, call.body, ledger, nowMs);
  if (refusal !== undefined) return refusal;
  const updateId = `1220${seededHex(seed, "update", Number(offset), 64)}`;
  const effect = changesOf(submission, world, updateId);
  if (effect.type === "refused") return notExecuted(effect.problem);
  const command: CompletedCommand = { key, submissionId, updateId, offset, completedAtMs: nowMs };
  return {
    type: "answered",
    body: { updateId, completionOffset: offset },
    changes: [{ type: "command-completed", command }, ...effect.changes],
  };
}

/** A token of no user speaks for nobody: then the request has to name one (facts, ledger-api 2.6). */
function userIdOf({ body, caller }: Call): string | undefined {
  const asked = textOf(body["userId"]);
  if (asked !== "") return asked;
  return caller.type === "anonymous" ? undefined : caller.userId;
}

function changesOf({ declared }: Submission, { registry }: WorldView, updateId: string): ReturnType<typeof effectOf> {
  return declared === undefined ? { type: "changes", changes: [] } : effectOf(declared, registry, updateId);
}

/** The same user, command id and submitters succeed once within the period (facts, ledger-api 4.1). */
function checkDuplicate(
  period: JsonObject,
  earlier: CompletedCommand | undefined,
  { limits, ledgerEnd }: LedgerState,
  nowMs: number,
): Refusal | undefined {
  const offset = integerOf(objectOf(period["DeduplicationOffset"])["value"]);
  const asked = periodMsOf(period);
  if ((asked !== undefined && asked > limits.deduplicationMsMax) || (offset !== undefined && offset > ledgerEnd))
    return nodeError("INVALID_DEDUPLICATION_PERIOD", "The deduplication period cannot be honoured", {
      context: { longest_duration: `PT${limits.deduplicationMsMax / 1000}S` },
    });
  if (earlier === undefined) return undefined;
  const isWithin =
    offset === undefined
      ? nowMs - earlier.completedAtMs <= (asked ?? limits.deduplicationMsMax)
      : earlier.offset > offset;
  if (!isWithin) return undefined;
  return nodeError("DUPLICATE_COMMAND", "A command with the given command id has already been successfully processed", {
    context: { definite_answer: "false", existing_submission_id: earlier.submissionId },
  });
}

function periodMsOf(period: JsonObject): number | undefined {
  if (period["DeduplicationDuration"] === undefined) return undefined;
  const duration = objectOf(objectOf(period["DeduplicationDuration"])["value"]);
  return Number(integerOf(duration["seconds"]) ?? 0n) * 1000 + Number(integerOf(duration["nanos"]) ?? 0n) / 1e6;
}
