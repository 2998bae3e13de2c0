import { seededHex } from "../../../foundation/crypto/seeded-hex.ts";
import type { Json, JsonObject } from "../../../foundation/json/json.ts";
import { objectOf, objectsOf, textOf, textsOf } from "../../../foundation/json/members.ts";
import type { BodyMessages } from "../../../foundation/protobuf/body-messages.ts";
import {
  encodedPreparedTransaction,
  type PreparedTransaction,
} from "../../../foundation/protobuf/prepared-transaction.ts";
import { preparedTransactionHash } from "../../../foundation/protobuf/transaction-hash.ts";
import { isIdentifier } from "../../../foundation/spec/identifiers.ts";
import { base64OfBytes } from "../../../foundation/text/base64.ts";
import { advise } from "../../../foundation/text/suggestion.ts";
import { microsOfMs } from "../../daml/daml-json.ts";
import { microsOfInstant } from "../../daml/daml-type.ts";
import { type Interpreted, interpret, type LedgerCommand } from "../../daml/interpret.ts";
import type { InterpretationOptions } from "../../daml/interpretation.ts";
import { dependenciesOf } from "../../daml/interpretation-cache.ts";
import type { Synchronizer } from "../../ledger/ledger-state.ts";
import { ledgerStringProblem, partyProblem } from "../_identifier-problem.ts";
import { mayRead } from "../_reading.ts";
import { physicalId, physicalIdVersion } from "../_synchronizer.ts";
import { userMissing } from "../_user-refusal.ts";
import type { Call, Operation, OperationResult, WorldView } from "../operation.ts";
import { invalidArgument, invalidField, missingField, nodeError, type Refusal } from "../refusal.ts";
import { hashingSchemeOf, isSchemeSupported, nameOfScheme } from "./_hashing-scheme.ts";
import { inputOf } from "./_input-contracts.ts";
import { synchronizerFor } from "./_routing.ts";
import { checkSubmitters } from "./_submission-checks.ts";
import { notVetted, packagesOf, unvettedOn } from "./_vetted-packages.ts";

/** `POST /v2/interactive-submission/prepare`: interprets commands into a transaction, and gives the hash to sign (Canton 3.5, openapi.yaml). */
export const prepareSubmission: Operation = {
  operationId: "postV2Interactive-submissionPrepare",
  mayCall: (call, world) =>
    isOwnUser(call) && mayRead(call, [...textsOf(call.body["actAs"]), ...textsOf(call.body["readAs"])], world),
  perform: prepare,
};

function prepare(call: Call, world: WorldView): OperationResult {
  const { body } = call;
  const unfit =
    checkUser(call) ?? checkForm(body) ?? checkTimes(body) ?? checkSubmitters(textsOf(body["actAs"]), world);
  if (unfit !== undefined) return unfit;
  const commands = objectsOf(body["commands"]).map(commandFrom);
  if (commands.some((command) => command === undefined))
    return invalidArgument("Understudy prepares create, exercise and create-and-exercise commands only");
  const disclosed = readDisclosed(objectsOf(body["disclosedContracts"]), call.messages());
  if (typeof disclosed === "string") return invalidArgument(disclosed);
  const [submitters, readers] = [distinct(body["actAs"]), distinct(body["readAs"])];
  const options: InterpretationOptions = { ...world, submitters, readers, disclosed: new Set(disclosed) };
  const uuid = uuidOf(seededHex(world.seed, `prepared ${textOf(body["commandId"])}`, world.counter, 32));
  const interpreted = interpret(
    commands.filter((command) => command !== undefined),
    options,
    uuid,
  );
  if (interpreted.type === "failed")
    return {
      ...nodeError(interpreted.code, interpreted.problem, {
        resources: interpreted.resources,
        ...undeclaredTemplate(interpreted, [...world.ledger.templates.keys()]),
      }),
      origin: interpreted.origin,
    };
  const used = interpreted.builder.inputs.map(({ contractId }) => contractId);
  const packages = packagesOf(interpreted.builder, world);
  const routed = synchronizerFor(
    { requested: textOf(body["synchronizerId"]), inputs: used, packages, submitters },
    world,
  );
  if (routed.type !== "found") return routed;
  const unvetted = unvettedOn(routed.synchronizer, packages, world.nowMs);
  if (unvetted.length > 0) return notVetted(unvetted, routed.synchronizer);
  return prepared(call, options, interpreted, { uuid, synchronizer: routed.synchronizer });
}

function isOwnUser({ caller, body }: Call): boolean {
  const userId = textOf(body["userId"]);
  return caller.type !== "user" || userId === "" || userId === caller.userId;
}

function checkUser({ caller, body }: Call): Refusal | undefined {
  const isNobody = caller.type === "anonymous" || caller.userId === undefined;
  return isNobody && textOf(body["userId"]) === "" ? userMissing() : undefined;
}

function checkTimes(body: JsonObject): Refusal | undefined {
  const times = [
    ["max_record_time", textOf(body["maxRecordTime"])],
    [
      "min_ledger_time",
      textOf(objectOf(objectOf(objectOf(body["minLedgerTime"])["time"])["MinLedgerTimeAbs"])["value"]),
    ],
  ] as const;
  const misread = times.find(([, text]) => text !== "" && (microsOfInstant(text) ?? -1n) < 0n);
  return misread === undefined
    ? undefined
    : invalidField(misread[0], `${JSON.stringify(misread[1])} is not a valid timestamp`);
}

/** A transaction with several roots is not executed, so more commands are not of use. Each takes a tenth of a millisecond or more. */
const commandsMax = 500;

/** The parties of a request are a set. */
function distinct(parties: Json | undefined): readonly string[] {
  return [...new Set(textsOf(parties))];
}

function checkForm(body: JsonObject): Refusal | undefined {
  const [commandId, userId] = [textOf(body["commandId"]), textOf(body["userId"])];
  if (commandId === "") return missingField("command_id");
  const misread = ledgerStringProblem(commandId);
  if (misread !== undefined) return invalidField("command_id", misread);
  if (userId !== "" && !isIdentifier("userId", userId))
    return invalidField("user_id", `${JSON.stringify(userId)} is not a user id`);
  const commands = objectsOf(body["commands"]).length;
  if (commands === 0) return missingField("commands");
  if (commands > commandsMax) return invalidArgument(`There are ${commands} commands, the limit is ${commandsMax}`);
  const submitters = textsOf(body["actAs"]);
  if (submitters.length === 0) return missingField("act_as");
  const misnamed = [...submitters, ...textsOf(body["readAs"])]
    .map(partyProblem)
    .find((problem) => problem !== undefined);
  return misnamed === undefined ? undefined : invalidArgument(misnamed);
}

function commandFrom(wrapper: JsonObject): LedgerCommand | undefined {
  const [kind = "", value] = Object.entries(wrapper)[0] ?? [];
  const given = objectOf(value);
  const [templateId, contractId, choice] = ["templateId", "contractId", "choice"].map((name) => textOf(given[name]));
  if (templateId === undefined || contractId === undefined || choice === undefined) return undefined;
  const json = (name: string) => ({ type: "json", json: given[name] ?? null }) as const;
  switch (kind) {
    case "CreateCommand":
      return { type: "create", templateId, argument: json("createArguments") };
    case "ExerciseCommand":
      return { type: "exercise", templateId, contractId, choice, argument: json("choiceArgument") };
    case "CreateAndExerciseCommand":
      return {
        type: "create-and-exercise",
        templateId,
        argument: json("createArguments"),
        choice,
        choiceArgument: json("choiceArgument"),
      };
    default:
      return undefined;
  }
}

/** The ids of the disclosed contracts, or the problem: an invalid blob, or a blob of another contract. */
function readDisclosed(given: readonly JsonObject[], messages: BodyMessages): readonly string[] | string {
  const ids: string[] = [];
  for (const entry of given) {
    const event = messages.createdEvent(textOf(entry["createdEventBlob"]));
    if (event === undefined) return "a disclosed contract has a createdEventBlob that cannot be decoded";
    const [contractId, templateId] = [textOf(entry["contractId"]), textOf(entry["templateId"])];
    if (contractId !== "" && contractId !== event.contractId)
      return `the disclosed contract ${contractId} has the createdEventBlob of ${event.contractId}`;
    if (templateId !== "" && entityOf(templateId) !== entityOf(event.templateId))
      return `the disclosed contract ${event.contractId} is of ${event.templateId}, not of ${templateId}`;
    ids.push(event.contractId);
  }
  return ids;
}

function entityOf(templateId: string): string {
  return templateId.slice(templateId.indexOf(":") + 1);
}

function prepared(
  { body, interpretations }: Call,
  options: InterpretationOptions,
  interpreted: Extract<Interpreted, { readonly type: "interpreted" }>,
  { uuid, synchronizer }: { readonly uuid: string; readonly synchronizer: Synchronizer },
): OperationResult {
  const { builder } = interpreted;
  const isPhysical = synchronizer.protocolVersion >= physicalIdVersion;
  const scheme = hashingSchemeOf(body);
  if (!isSchemeSupported(scheme, synchronizer.protocolVersion))
    return nodeError(
      "FAILED_TO_PREPARE_TRANSACTION",
      `Hashing scheme ${scheme} is not supported on protocol version ${synchronizer.protocolVersion}`,
    );
  const maxRecordTime = textOf(body["maxRecordTime"]);
  const nowMicros = microsOfMs(options.nowMs);
  const transaction: PreparedTransaction = {
    transaction: builder.transaction(),
    metadata: {
      actAs: distinct(body["actAs"]),
      commandId: textOf(body["commandId"]),
      synchronizerId: isPhysical ? physicalId(synchronizer) : synchronizer.id,
      mediatorGroup: 0,
      transactionUuid: uuid,
      preparationTimeMicros: nowMicros,
      minLedgerTimeMicros: undefined,
      maxLedgerTimeMicros: undefined,
      maxRecordTimeMicros: maxRecordTime === "" ? undefined : microsOfInstant(maxRecordTime),
      inputContracts: builder.inputs.map(inputOf),
    },
  };
  const hash = preparedTransactionHash(transaction, scheme);
  const { base64, fields, isExact } = encodedPreparedTransaction(transaction);
  const known = { prepared: transaction, fields, scheme, hash, ...dependenciesOf(interpreted, options) };
  if (isExact) interpretations.add(base64, known);
  return {
    type: "succeeded",
    body: {
      preparedTransaction: base64,
      preparedTransactionHash: base64OfBytes(hash),
      hashingSchemeVersion: nameOfScheme(scheme),
      hashingDetails: null,
      costEstimation: null,
    },
    changes: [],
  };
}

function uuidOf(hex: string): string {
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    "-",
  );
}

/** Where to declare a template that the fixture does not have, and the nearest that it has. */
function undeclaredTemplate(
  { code, resources }: Extract<Interpreted, { readonly type: "failed" }>,
  declared: readonly string[],
): { readonly explanation?: string } {
  const [, named = ""] = resources.find(([type]) => type === "TEMPLATE_ID") ?? [];
  if (code !== "TEMPLATES_OR_INTERFACES_NOT_FOUND" || named === "") return {};
  const advice = advise(named.slice(named.indexOf(":") + 1), [
    ...new Set(declared.map((key) => key.slice(key.indexOf(":") + 1))),
  ]);
  return { explanation: `Declare it under templates of the ledger fixture, as the others of its package. ${advice}` };
}
