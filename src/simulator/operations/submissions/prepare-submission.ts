import { seededHex } from "../../../foundation/crypto/seeded-hex.ts";
import type { JsonObject } from "../../../foundation/json/json.ts";
import { objectOf, objectsOf, textOf, textsOf } from "../../../foundation/json/members.ts";
import { microsOfInstant } from "../../../foundation/protobuf/instant.ts";
import {
  encodedPreparedTransaction,
  type PreparedTransaction,
} from "../../../foundation/protobuf/prepared-transaction.ts";
import { preparedTransactionHash } from "../../../foundation/protobuf/transaction-hash.ts";
import { isIdentifier } from "../../../foundation/spec/identifiers.ts";
import { base64OfBytes } from "../../../foundation/text/base64.ts";
import { microsOfMs } from "../../daml/daml-json.ts";
import type { Interpreted } from "../../daml/interpret.ts";
import type { InterpretationOptions } from "../../daml/interpretation.ts";
import { dependenciesOf } from "../../daml/interpretation-cache.ts";
import type { Synchronizer } from "../../ledger/ledger-state.ts";
import { ledgerStringProblem, partyProblem } from "../_identifier-problem.ts";
import { mayRead } from "../_reading.ts";
import { physicalId, physicalIdVersion } from "../_synchronizer.ts";
import type { Call, Operation, OperationResult, WorldView } from "../operation.ts";
import { invalidArgument, invalidField, missingField, nodeError, type Refusal } from "../refusal.ts";
import { checkUser, distinct, interpretCommands, isOwnUser } from "./_commands.ts";
import { hashingSchemeOf, isSchemeSupported, nameOfScheme } from "./_hashing-scheme.ts";
import { inputOf } from "./_input-contracts.ts";
import { checkSubmitters } from "./_submission-checks.ts";
import { checkTraffic } from "./_traffic.ts";

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
  const uuid = uuidOf(seededHex(world.seed, `prepared ${textOf(body["commandId"])}`, world.counter, 32));
  const found = interpretCommands(call, uuid, world);
  if (found.type !== "interpreted") return found;
  const result = prepared(call, found.options, found.interpreted, { uuid, synchronizer: found.synchronizer });
  const isEstimated = objectOf(body["estimateTrafficCost"])["disabled"] !== true;
  const unpaid = checkTraffic(textsOf(body["actAs"]), world.ledger, isEstimated ? undefined : 0);
  return result.type === "succeeded" ? (unpaid ?? { ...result, warning: found.warning }) : result;
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
