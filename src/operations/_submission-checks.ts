import type { JsonObject } from "../http/json.ts";
import type { LedgerState } from "../ledger/ledger-state.ts";
import { isIdentifier } from "../spec/identifiers.ts";
import { integerOf, objectOf, objectsOf, textOf } from "./_json-members.ts";
import { invalidField, missingField, nodeError, type Refusal } from "./_refusal.ts";
import type { Submission } from "./_submission.ts";

const signaturesMax = 50;

/** The checks of a submission's form, in the node's order (facts, ledger-api 4.1). */
export function checkForm(body: JsonObject, submission: Submission): Refusal | undefined {
  return (
    checkIds(body) ??
    checkPeriod(objectOf(body["deduplicationPeriod"])) ??
    checkPrepared(submission) ??
    checkSignatures(objectsOf(objectOf(body["partySignatures"])["signatures"])) ??
    checkHashing(textOf(body["hashingSchemeVersion"])) ??
    checkSynchronizerId(submission) ??
    checkMinLedgerTime(objectOf(objectOf(body["minLedgerTime"])["time"]))
  );
}

function checkIds(body: JsonObject): Refusal | undefined {
  const [submissionId, userId] = [textOf(body["submissionId"]), textOf(body["userId"])];
  if (submissionId !== "" && !isIdentifier("ledgerString", submissionId))
    return invalidField("submission_id", `${JSON.stringify(submissionId)} is not a LedgerString`);
  return userId === "" || isIdentifier("userId", userId)
    ? undefined
    : invalidField("user_id", `${JSON.stringify(userId)} is not a user id`);
}

function checkPeriod(period: JsonObject): Refusal | undefined {
  const duration = objectOf(objectOf(period["DeduplicationDuration"])["value"]);
  if ((integerOf(duration["seconds"]) ?? 0n) < 0n || (integerOf(duration["nanos"]) ?? 0n) < 0n)
    return invalidField("deduplication_period", "the duration is negative");
  const offset = integerOf(objectOf(period["DeduplicationOffset"])["value"]);
  return offset !== undefined && offset < 0n
    ? nodeError("NEGATIVE_OFFSET", `Offset ${offset} in deduplication_period is a negative integer`)
    : undefined;
}

function checkPrepared({ actAs, commandId, rootCount }: Submission): Refusal | undefined {
  if (rootCount === undefined) return missingField("transaction");
  if (actAs.length === 0) return missingField("act_as");
  const misnamed = actAs.find((party) => !isIdentifier("partyId", party));
  if (misnamed !== undefined) return invalidField("act_as", `${JSON.stringify(misnamed)} is not a party`);
  if (commandId === "") return missingField("command_id");
  return isIdentifier("ledgerString", commandId)
    ? undefined
    : invalidField("command_id", `${JSON.stringify(commandId)} is not a LedgerString`);
}

function checkSignatures(parties: readonly JsonObject[]): Refusal | undefined {
  const misnamed = parties.find(({ party }) => !isIdentifier("partyId", textOf(party)));
  if (misnamed !== undefined)
    return invalidField("SinglePartySignatures.party", `${JSON.stringify(textOf(misnamed["party"]))} is not a party`);
  const signatures = parties.flatMap((party) => objectsOf(party["signatures"]));
  if (signatures.some(({ format }) => format === "SIGNATURE_FORMAT_UNSPECIFIED"))
    return invalidField("format", "the format is unspecified");
  return signatures.some(({ signingAlgorithmSpec }) => signingAlgorithmSpec === "SIGNING_ALGORITHM_SPEC_UNSPECIFIED")
    ? invalidField("SinglePartySignatures.signature", "the algorithm is unspecified")
    : undefined;
}

function checkHashing(version: string): Refusal | undefined {
  return version === "HASHING_SCHEME_VERSION_UNSPECIFIED"
    ? invalidField("hashing_scheme_version", "the version is unspecified")
    : undefined;
}

function checkSynchronizerId({ synchronizerId, declared }: Submission): Refusal | undefined {
  if (synchronizerId === "") return declared === undefined ? missingField("synchronizer_id") : undefined;
  return isIdentifier("synchronizer", synchronizerId)
    ? undefined
    : invalidField("synchronizer_id", `${JSON.stringify(synchronizerId)} is not a synchronizer id`);
}

function checkMinLedgerTime(time: JsonObject): Refusal | undefined {
  const relative = objectOf(objectOf(time["MinLedgerTimeRel"])["value"]);
  return (integerOf(relative["seconds"]) ?? 0n) < 0n
    ? invalidField("min_ledger_time", "the duration is negative")
    : undefined;
}

/** What the node can tell only when it executes: times, signatures, the synchronizer. */
export function checkExecutable(
  submission: Submission,
  body: JsonObject,
  ledger: LedgerState,
  nowMs: number,
): Refusal | undefined {
  const { minLedgerTimeMs = nowMs, maxLedgerTimeMs = nowMs, synchronizerId, rootCount, actAs } = submission;
  if (nowMs < minLedgerTimeMs || nowMs > maxLedgerTimeMs)
    return nodeError("LEDGER_TIME_OUTSIDE_BOUNDS", "The ledger time is outside of the bounds of the transaction", {
      context: {
        ledger_effective_time: new Date(nowMs).toISOString(),
        time_boundaries: `[${new Date(minLedgerTimeMs).toISOString()}, ${new Date(maxLedgerTimeMs).toISOString()}]`,
      },
    });
  const connected = [...ledger.synchronizers.values()].filter(({ isConnected }) => isConnected);
  if (connected.length === 0)
    return nodeError("NOT_CONNECTED_TO_ANY_SYNCHRONIZER", "The participant is not connected to any synchronizer");
  if (
    synchronizerId !== "" &&
    !connected.some(({ id }) => synchronizerId === id || synchronizerId.startsWith(`${id}::`))
  )
    return notExecuted(`the participant is not connected to the synchronizer ${synchronizerId}`);
  if (rootCount !== 1) return notExecuted(`the transaction has ${rootCount} roots, one is supported`);
  const signing = objectsOf(objectOf(body["partySignatures"])["signatures"]);
  const count = signing.reduce((sum, party) => sum + objectsOf(party["signatures"]).length, 0);
  if (count > signaturesMax) return notExecuted(`there are ${count} signatures, the limit is ${signaturesMax}`);
  const signed = new Set(
    signing.filter((party) => objectsOf(party["signatures"]).length > 0).map(({ party }) => party),
  );
  const silent = actAs.find((party) => !signed.has(party));
  return silent === undefined
    ? undefined
    : notExecuted(`The following parties did not provide an external signature: ${silent}`);
}

/** Everything that is wrong with a transaction or its signatures has this one code. */
export function notExecuted(problem: string): Refusal {
  return nodeError("FAILED_TO_EXECUTE_TRANSACTION", `The participant failed to execute the transaction: ${problem}`);
}
