import { seededHex } from "../../../foundation/crypto/seeded-hex.ts";
import type { JsonObject } from "../../../foundation/json/json.ts";
import { objectOf, objectsOf, textOf, textsOf } from "../../../foundation/json/members.ts";
import { microsOfInstant } from "../../../foundation/protobuf/instant.ts";
import { isIdentifier } from "../../../foundation/spec/identifiers.ts";
import { instantOfMicros, microsOfMs } from "../../daml/daml-json.ts";
import { ledgerStringProblem, packageIdProblem, partyProblem, synchronizerProblem } from "../_identifier-problem.ts";
import { integerOf } from "../_json-members.ts";
import { mayRead } from "../_reading.ts";
import type { Call, Operation, WorldView } from "../operation.ts";
import { invalidArgument, invalidField, jsonLayerRefusal, missingField, nodeError, type Refusal } from "../refusal.ts";
import { commitAndFollow } from "./_automation.ts";
import { checkUser, distinct, interpretCommands, isOwnUser } from "./_commands.ts";
import type { Executed } from "./_commit.ts";
import { changeIdOf, checkDuplicate } from "./_deduplication.ts";
import { checkPeriod, checkSubmitters, ledgerTimeToleranceMicros, userIdOf } from "./_submission-checks.ts";

// Submission of commands, shared by the operations below /v2/commands (Canton 3.5, JsCommandService.scala,
// CommandsValidator.scala, the authorizers in ledger/api/auth/services).

/** Refuses commands without submitters before the token is checked, as the JSON layer of a node does. */
export const submittersFirst: NonNullable<Operation["precheck"]> = ({ body }) =>
  textsOf(body["actAs"]).length === 0
    ? {
        ...jsonLayerRefusal("MISSING_FIELD", "The submitted command is missing a mandatory field: act_as/actAs"),
        context: { field_name: "act_as/actAs" },
      }
    : undefined;

/** Whether the request names the user of the token, who may act as each submitter and read as each reader. */
export const maySubmit: NonNullable<Operation["mayCall"]> = (call, world) => {
  const { caller, body } = call;
  if (caller.type !== "user") return caller.type === "everyone";
  const rights = world.ledger.users.get(caller.userId)?.rights;
  const mayActAs = (party: string) =>
    rights?.has("CanActAsAnyParty") === true || rights?.has(`CanActAs ${party}`) === true;
  return isOwnUser(call) && textsOf(body["actAs"]).every(mayActAs) && mayRead(call, textsOf(body["readAs"]), world);
};

/** Executes the commands of a body at once, or refuses them; the error carries the submission id. */
export function submit(call: Call, world: WorldView): Executed {
  const submitted = submitCommands(call, world);
  const correlationId = textOf(call.body["submissionId"]);
  return submitted.type === "ledger-error" && correlationId !== "" ? { ...submitted, correlationId } : submitted;
}

function submitCommands(call: Call, world: WorldView): Executed {
  const { body } = call;
  const [userId, commandId, actAs] = [userIdOf(call), textOf(body["commandId"]), distinct(body["actAs"])];
  const key = changeIdOf(userId ?? "", { commandId, actAs });
  const refusal =
    checkUser(call) ??
    checkForm(body) ??
    checkTimes(body) ??
    checkPeriod(objectOf(body["deduplicationPeriod"])) ??
    checkSelection(body, world) ??
    checkDuplicate(body, world.ledger.commands.get(key), world.ledger, world.nowMs) ??
    checkSubmitters(actAs, world) ??
    checkHosted(actAs, world);
  if (refusal !== undefined) return refusal;
  const seed = seededHex(world.seed, `commands ${commandId}`, world.counter, 32);
  const found = interpretCommands(call, seed, world);
  if (found.type !== "interpreted") return found;
  const { interpreted, synchronizer } = found;
  const untimely = checkLedgerTime(body, world);
  if (untimely !== undefined) return untimely;
  const executed = commitAndFollow(
    interpreted.builder.transaction(),
    {
      key,
      userId: userId ?? "",
      commandId,
      submissionId: textOf(body["submissionId"]),
      workflowId: textOf(body["workflowId"]),
      actAs,
      synchronizerId: synchronizer.id,
      transactionHash: undefined,
    },
    world,
  );
  return executed.type === "executed" ? { ...executed, warning: found.warning } : executed;
}

function checkForm(body: JsonObject): Refusal | undefined {
  const [workflowId, userId, commandId, submissionId] = ["workflowId", "userId", "commandId", "submissionId"].map(
    (name) => textOf(body[name]),
  );
  return (
    checkText("workflow_id", workflowId) ??
    (userId === "" || isIdentifier("userId", userId ?? "")
      ? undefined
      : invalidField("user_id", `${JSON.stringify(userId)} is not a user id`)) ??
    (commandId === "" ? missingField("command_id") : checkText("command_id", commandId)) ??
    checkText("submission_id", submissionId) ??
    checkParties("act_as", textsOf(body["actAs"])) ??
    checkParties("read_as", textsOf(body["readAs"])) ??
    checkSynchronizer(textOf(body["synchronizerId"])) ??
    checkCommands(objectsOf(body["commands"]).length)
  );
}

/** A text that may be empty. */
function checkText(field: string, text = ""): Refusal | undefined {
  const problem = text === "" ? undefined : ledgerStringProblem(text);
  return problem === undefined ? undefined : invalidField(field, problem);
}

function checkParties(field: string, parties: readonly string[]): Refusal | undefined {
  const problem = parties.map(partyProblem).find((one) => one !== undefined);
  return problem === undefined ? undefined : invalidField(field, problem);
}

function checkSynchronizer(text: string): Refusal | undefined {
  const problem = text === "" ? undefined : synchronizerProblem(text);
  return problem === undefined ? undefined : invalidField("synchronizer_id", problem);
}

/** Each command takes a tenth of a millisecond or more. */
const commandsMax = 500;

function checkCommands(count: number): Refusal | undefined {
  if (count === 0) return missingField("commands");
  return count > commandsMax
    ? invalidArgument(`There are ${count} commands, the limit of Understudy is ${commandsMax}`)
    : undefined;
}

function checkTimes(body: JsonObject): Refusal | undefined {
  const [absolute, relative] = [textOf(body["minLedgerTimeAbs"]), body["minLedgerTimeRel"] ?? null];
  if (absolute !== "" && relative !== null)
    return invalidArgument("min_ledger_time_abs cannot be specified at the same time as min_ledger_time_rel");
  if (absolute !== "" && (microsOfInstant(absolute) ?? -1n) < 0n)
    return invalidField("min_ledger_time_abs", `${JSON.stringify(absolute)} is not a valid timestamp`);
  return aheadMicros(body, 0n) < 0n ? invalidField("min_ledger_time_rel", "the duration is negative") : undefined;
}

function checkSelection(body: JsonObject, { ledger }: WorldView): Refusal | undefined {
  const names = new Set<string>();
  for (const id of textsOf(body["packageIdSelectionPreference"])) {
    const problem = packageIdProblem(id);
    if (problem !== undefined) return invalidField("package_id_selection_preference", problem);
    const name = ledger.packages.get(id)?.name;
    if (name === undefined) return invalidArgument(`user-specified pkg id (${id}) could not be found`);
    if (names.has(name)) return invalidArgument(`duplicate preference for package-name ${name}`);
    names.add(name);
  }
  const passes = integerOf(body["tapsMaxPasses"]);
  return passes !== undefined && passes < 1n ? invalidArgument("taps_max_passes must be positive") : undefined;
}

/** Refuses parties for which this participant may not submit: external ones sign for themselves, others are hosted elsewhere. */
function checkHosted(actAs: readonly string[], { ledger }: WorldView): Refusal | undefined {
  const external = actAs.filter((id) => (ledger.parties.get(id)?.signingKeys.length ?? 0) > 0);
  const foreign = actAs.filter((id) => ledger.parties.get(id)?.hostedBy.includes(ledger.participantId) !== true);
  if (external.length === 0 && foreign.length === 0) return undefined;
  return nodeError(
    "NO_SYNCHRONIZER_ON_WHICH_ALL_SUBMITTERS_CAN_SUBMIT",
    `Not connected to a synchronizer on which all submitters can submit: ${[...new Set([...external, ...foreign])].join(", ")}`,
    {
      explanation:
        external.length > 0
          ? `${external.join(", ")} signs for itself: prepare the commands, sign the hash, and execute them (POST /v2/interactive-submission/prepare).`
          : `${foreign.join(", ")} is hosted by another participant: send the commands there.`,
    },
  );
}

/** How far the requested minimum is ahead of the clock. */
function aheadMicros(body: JsonObject, now: bigint): bigint {
  const absolute = microsOfInstant(textOf(body["minLedgerTimeAbs"]));
  if (absolute !== undefined) return absolute - now;
  const { seconds, nanos } = objectOf(body["minLedgerTimeRel"]);
  return (integerOf(seconds) ?? 0n) * 1_000_000n + (integerOf(nanos) ?? 0n) / 1000n;
}

function checkLedgerTime(body: JsonObject, { nowMs }: WorldView): Refusal | undefined {
  const now = microsOfMs(nowMs);
  const ahead = aheadMicros(body, now);
  return ahead <= ledgerTimeToleranceMicros
    ? undefined
    : nodeError(
        "LOCAL_VERDICT_LEDGER_TIME_OUT_OF_BOUND",
        `Rejected transaction due to a ledger time out of bounds: ledger time ${instantOfMicros(now + ahead)}, record time ${instantOfMicros(now)}`,
      );
}
