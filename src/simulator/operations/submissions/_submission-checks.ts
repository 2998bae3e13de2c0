import type { JsonObject } from "../../../foundation/json/json.ts";
import { objectOf, objectsOf, textOf } from "../../../foundation/json/members.ts";
import { microsOfInstant } from "../../../foundation/protobuf/instant.ts";
import type { DamlTransaction } from "../../../foundation/protobuf/prepared-transaction.ts";
import { isIdentifier } from "../../../foundation/spec/identifiers.ts";
import { instantOfMicros, microsOfMs } from "../../daml/daml-json.ts";
import { isAllocated, type LedgerState } from "../../ledger/ledger-state.ts";
import {
  ledgerStringProblem,
  partyProblem,
  synchronizerProblem,
  uniqueIdentifierProblem,
} from "../_identifier-problem.ts";
import { integerOf } from "../_json-members.ts";
import { connectedSynchronizer, connectedSynchronizers, physicalIdVersion } from "../_synchronizer.ts";
import type { Call, WorldView } from "../operation.ts";
import { invalidField, missingField, nodeError, notExecuted, type Refusal } from "../refusal.ts";
import { hashingSchemeOf, isSchemeSupported } from "./_hashing-scheme.ts";
import type { Submission } from "./_submission.ts";

const signaturesMax = 50;

/** The user of the request, or that of the token; undefined if neither names one (Canton 3.5, AuthServiceWildcard.scala). */
export function userIdOf({ body, caller }: Call): string | undefined {
  const requested = textOf(body["userId"]);
  if (requested !== "") return requested;
  return caller.type === "anonymous" ? undefined : caller.userId;
}

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
    return invalidField("submission_id", ledgerStringProblem(submissionId) ?? "");
  return userId === "" || isIdentifier("userId", userId)
    ? undefined
    : invalidField("user_id", `${JSON.stringify(userId)} is not a user id`);
}

/** Refuses a negative deduplication period. */
export function checkPeriod(period: JsonObject): Refusal | undefined {
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
  const misnamed = actAs.map(partyProblem).find((problem) => problem !== undefined);
  if (misnamed !== undefined) return notExecuted(`Failed to deserialize submitter info: ${misnamed}`);
  if (commandId === "") return missingField("command_id");
  const misread = ledgerStringProblem(commandId);
  return misread === undefined ? undefined : invalidField("command_id", misread);
}

function checkSignatures(parties: readonly JsonObject[]): Refusal | undefined {
  const misnamed = parties.map(({ party }) => signerProblem(textOf(party))).find((problem) => problem !== undefined);
  if (misnamed !== undefined) return invalidField("SinglePartySignatures.party", misnamed);
  const signatures = parties.flatMap((party) => objectsOf(party["signatures"]));
  if (signatures.some(({ format }) => format === "SIGNATURE_FORMAT_UNSPECIFIED"))
    return invalidField("format", "the format is unspecified");
  return signatures.some(({ signingAlgorithmSpec }) => signingAlgorithmSpec === "SIGNING_ALGORITHM_SPEC_UNSPECIFIED")
    ? invalidField("SinglePartySignatures.signature", "the algorithm is unspecified")
    : undefined;
}

/** A signature needs a party with a namespace. */
function signerProblem(party: string): string | undefined {
  return partyProblem(party) ?? uniqueIdentifierProblem(party);
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
    : invalidField("synchronizer_id", synchronizerProblem(synchronizerId) ?? "a logical synchronizer id is expected");
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

/** Checks what a node checks before it compares the inputs: the ledger time and the form of the transaction. */
export function checkTransaction(submission: Submission, body: JsonObject, world: WorldView): Refusal | undefined {
  return (
    checkLedgerTime(submission, objectOf(objectOf(body["minLedgerTime"])["time"]), world) ?? checkNodes(submission)
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
export const ledgerTimeToleranceMicros = 60_000_000n;

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

/** Checks that the participant is connected to the synchronizer of the transaction. */
function checkConnected(synchronizerId: string, ledger: LedgerState): Refusal | undefined {
  if (connectedSynchronizers(ledger).length === 0)
    return nodeError("NOT_CONNECTED_TO_ANY_SYNCHRONIZER", "The participant is not connected to any synchronizer");
  return synchronizerId === "" || connectedSynchronizer(synchronizerId, ledger) !== undefined
    ? undefined
    : notExecuted(
        `Cannot find a physical synchronizer for ${synchronizerId}. Make sure the participant is connected to the synchronizer.`,
      );
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

/** Checks that the nodes of a transaction are a forest with one root. */
function checkNodes({ what }: Submission): Refusal | undefined {
  const roots = what.type === "prepared" ? (what.prepared.transaction?.roots.length ?? 0) : 1;
  const nodes = what.type === "prepared" ? what.prepared.transaction : undefined;
  const unfit = nodes === undefined || nodes.nodes.size === 0 ? undefined : forestProblem(nodes);
  if (unfit !== undefined) return notExecuted(unfit);
  return roots === 1 ? undefined : notExecuted(`the transaction has ${roots} roots, one is supported`);
}

/** Checks what a node checks before each signature: the synchronizer, the hashing scheme, and that every submitter signed. */
export function checkSigned(
  { synchronizerId, actAs }: Submission,
  body: JsonObject,
  ledger: LedgerState,
): Refusal | undefined {
  const unconnected = checkConnected(synchronizerId, ledger);
  if (unconnected !== undefined) return unconnected;
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
  const silent = [...new Set(actAs)].filter((party) => !signed.has(party));
  return silent.length === 0
    ? undefined
    : notExecuted(`The following actAs parties did not provide an external signature: ${silent.join(", ")}`);
}

const nodesMax = 10_000;
const depthMax = 200;

/** Why the nodes of a transaction are not a forest; undefined if they are. */
function forestProblem({ roots, nodes }: DamlTransaction): string | undefined {
  if (nodes.size > nodesMax) return `the transaction has ${nodes.size} nodes, the limit is ${nodesMax}`;
  const misnamed = [...nodes.keys()].find((id) => !/^(?:0|[1-9]\d{0,8})$/.test(id));
  if (misnamed !== undefined) return `${JSON.stringify(misnamed)} is not a node id`;
  const reached = new Set<string>();
  const waiting = roots.map((id) => ({ id, depth: 1 }));
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { id, depth } = next;
    const node = nodes.get(id);
    if (node === undefined) return `node ${id} does not exist`;
    if (reached.has(id)) return `node ${id} is reached twice`;
    if (depth > depthMax) return `the nodes are nested deeper than ${depthMax}`;
    reached.add(id);
    for (const child of "children" in node ? node.children : []) waiting.push({ id: child, depth: depth + 1 });
  }
  if (reached.size !== nodes.size) return "some nodes cannot be reached from a root";
  const misread = [...nodes.values()].find(
    (node) => "contractId" in node && !/^(?:[0-9a-f]{2}){33,127}$/.test(node.contractId),
  );
  return misread === undefined ? undefined : "a node has an invalid contract id";
}
