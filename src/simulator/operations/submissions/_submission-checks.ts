import type { JsonObject } from "../../../foundation/json/json.ts";
import { objectOf, objectsOf, textOf } from "../../../foundation/json/members.ts";
import { isIdentifier } from "../../../foundation/spec/identifiers.ts";
import { instantOfMicros, microsOfMs } from "../../daml/daml-json.ts";
import { microsOfInstant } from "../../daml/daml-type.ts";
import { forestProblem } from "../../daml/forest.ts";
import { isAllocated } from "../../ledger/ledger-state.ts";
import { integerOf } from "../_json-members.ts";
import { connectedSynchronizer, connectedSynchronizers, physicalIdVersion } from "../_synchronizer.ts";
import type { Call, WorldView } from "../operation.ts";
import { invalidField, missingField, nodeError, type Refusal } from "../refusal.ts";
import { hashingSchemeOf, isSchemeSupported } from "./_hashing-scheme.ts";
import type { Submission } from "./_submission.ts";

const signaturesMax = 50;

/** Checks the form of a submission, in the order of the node (Canton 3.5, SubmitRequestValidator.scala). */
export function checkForm(call: Call, submission: Submission): Refusal | undefined {
  const { body, release } = call;
  return (
    checkIds(call) ??
    checkPeriod(objectOf(body["deduplicationPeriod"])) ??
    checkPrepared(submission) ??
    checkSignatures(objectsOf(objectOf(body["partySignatures"])["signatures"])) ??
    checkHashing(textOf(body["hashingSchemeVersion"])) ??
    checkSynchronizerId(submission, release.executesOnPhysicalIds ? "synchronizer" : "synchronizerId") ??
    checkMinLedgerTime(objectOf(objectOf(body["minLedgerTime"])["time"]))
  );
}

function checkIds({ body, release }: Call): Refusal | undefined {
  const [submissionId, userId] = [textOf(body["submissionId"]), textOf(body["userId"])];
  if ((submissionId !== "" || release.isByLetter) && !isIdentifier("ledgerString", submissionId))
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

function checkPrepared({ actAs, commandId, what }: Submission): Refusal | undefined {
  if (what.type === "prepared" && what.prepared.transaction === undefined) return missingField("transaction");
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

function checkSynchronizerId(
  { synchronizerId, what }: Submission,
  syntax: "synchronizer" | "synchronizerId",
): Refusal | undefined {
  if (synchronizerId === "") return what.type === "prepared" ? missingField("synchronizer_id") : undefined;
  return isIdentifier(syntax, synchronizerId)
    ? undefined
    : invalidField("synchronizer_id", `${JSON.stringify(synchronizerId)} is not a synchronizer id`);
}

function checkMinLedgerTime(time: JsonObject): Refusal | undefined {
  const relative = objectOf(objectOf(time["MinLedgerTimeRel"])["value"]);
  const absolute = textOf(objectOf(time["MinLedgerTimeAbs"])["value"]);
  if (absolute !== "" && microsOfInstant(absolute) === undefined)
    return invalidField("min_ledger_time", `${JSON.stringify(absolute)} is not a valid timestamp`);
  return (integerOf(relative["seconds"]) ?? 0n) < 0n || (integerOf(relative["nanos"]) ?? 0n) < 0n
    ? invalidField("min_ledger_time", "the duration is negative")
    : undefined;
}

/** Checks at execution: submitters, times, synchronizer, sizes. */
export function checkExecutable(submission: Submission, body: JsonObject, world: WorldView): Refusal | undefined {
  return (
    checkLedgerTime(submission, objectOf(objectOf(body["minLedgerTime"])["time"]), world) ??
    checkRouting(submission, world) ??
    checkTransaction(submission, body, world)
  );
}

/** Checks the ledger time against the bounds of the transaction. It is now, or the requested minimum if later. */
function checkLedgerTime(submission: Submission, requested: JsonObject, { nowMs }: WorldView): Refusal | undefined {
  const now = microsOfMs(nowMs);
  const { minLedgerTimeMicros: earliest = now, maxLedgerTimeMicros: latest = now } = submission;
  const { maxRecordTimeMicros: last = now } = submission;
  if (now > last) return notExecuted("the maximum record time of the transaction has passed");
  const ledgerTime = laterOf(now, minLedgerTimeOf(requested, now));
  if (ledgerTime >= earliest && ledgerTime <= latest && ledgerTime - now <= ledgerTimeToleranceMicros) return undefined;
  return nodeError("LEDGER_TIME_OUTSIDE_BOUNDS", "The ledger time is outside of the bounds of the transaction", {
    context: {
      ledger_effective_time: instantOfMicros(ledgerTime),
      time_boundaries: `[${instantOfMicros(earliest)}, ${instantOfMicros(latest)}]`,
    },
  });
}

/** How far a ledger time may be ahead of the clock of a node. */
const ledgerTimeToleranceMicros = 60_000_000n;

/** The requested minimum ledger time. */
function minLedgerTimeOf(requested: JsonObject, now: bigint): bigint {
  const instant = textOf(objectOf(requested["MinLedgerTimeAbs"])["value"]);
  if (instant !== "") return microsOfInstant(instant) ?? now;
  const relative = objectOf(objectOf(requested["MinLedgerTimeRel"])["value"]);
  return now + (integerOf(relative["seconds"]) ?? 0n) * 1_000_000n + (integerOf(relative["nanos"]) ?? 0n) / 1000n;
}

function laterOf(left: bigint, right: bigint): bigint {
  return left > right ? left : right;
}

function checkRouting({ actAs, synchronizerId }: Submission, world: WorldView): Refusal | undefined {
  const { ledger } = world;
  if (connectedSynchronizers(ledger).length === 0)
    return nodeError("NOT_CONNECTED_TO_ANY_SYNCHRONIZER", "The participant is not connected to any synchronizer");
  if (synchronizerId !== "" && connectedSynchronizer(synchronizerId, ledger) === undefined)
    return notExecuted(`the participant is not connected to the synchronizer ${synchronizerId}`);
  return checkSubmitters(actAs, world);
}

/** Checks that every submitter is allocated: all hosts have authorized it, and the node has seen it. */
export function checkSubmitters(actAs: readonly string[], { ledger, nowMs }: WorldView): Refusal | undefined {
  const unknown = actAs.filter((id) => {
    const party = ledger.parties.get(id);
    return party === undefined || !isAllocated(party, nowMs);
  });
  return unknown.length === 0
    ? undefined
    : nodeError("UNKNOWN_SUBMITTERS", `The submitters ${unknown.join(", ")} are not known on any synchronizer`);
}

function checkTransaction(
  { what, synchronizerId, actAs }: Submission,
  body: JsonObject,
  { ledger }: WorldView,
): Refusal | undefined {
  const roots = what.type === "prepared" ? (what.prepared.transaction?.roots.length ?? 0) : 1;
  const nodes = what.type === "prepared" ? what.prepared.transaction : undefined;
  const unfit = nodes === undefined || nodes.nodes.size === 0 ? undefined : forestProblem(nodes);
  if (unfit !== undefined) return notExecuted(unfit);
  if (roots !== 1) return notExecuted(`the transaction has ${roots} roots, one is supported`);
  const { protocolVersion = physicalIdVersion } = connectedSynchronizer(synchronizerId, ledger) ?? {};
  const scheme = hashingSchemeOf(body);
  if (!isSchemeSupported(scheme, protocolVersion))
    return notExecuted(`hashing scheme ${scheme} is not supported on protocol version ${protocolVersion}`);
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

/** The refusal for any problem with a transaction or its signatures. */
export function notExecuted(problem: string): Refusal {
  return nodeError("FAILED_TO_EXECUTE_TRANSACTION", `The participant failed to execute the transaction: ${problem}`);
}
