import { textOf } from "../../../foundation/json/members.ts";
import { isSameMessage } from "../../../foundation/protobuf/is-same-message.ts";
import type { DamlTransaction, PreparedTransaction } from "../../../foundation/protobuf/prepared-transaction.ts";
import { interpretDeclared } from "../../daml/declared.ts";
import { type Interpreted, interpret, type LedgerCommand } from "../../daml/interpret.ts";
import type { InterpretationOptions } from "../../daml/interpretation.ts";
import { isCurrent } from "../../daml/interpretation-cache.ts";
import { isTokenTemplate } from "../../daml/token-contracts.ts";
import type { LedgerState } from "../../ledger/ledger-state.ts";
import { mayExecuteAs } from "../_reading.ts";
import { userMissing } from "../_user-refusal.ts";
import type { Call, Operation, WorldView } from "../operation.ts";
import { jsonLayerError, nodeError, notExecuted, type Refusal } from "../refusal.ts";
import { commitAndFollow } from "./_automation.ts";
import { type Executed, nextUpdateId, type Submitted } from "./_commit.ts";
import { changeIdOf, checkDuplicate } from "./_deduplication.ts";
import { checkInputs } from "./_input-contracts.ts";
import { synchronizerFor } from "./_routing.ts";
import { type Submission, submissionOf } from "./_submission.ts";
import { checkForm, checkSigned, checkSubmitters, checkTransaction, userIdOf } from "./_submission-checks.ts";
import { checkSignatures, signedHash } from "./_submission-signatures.ts";

// Execution of a prepared transaction, shared by the three execute operations (spec §4.2; Canton 3.5, SubmitRequestValidator.scala).

/** Refuses an undecodable transaction before the token is checked. */
export const decodeFirst: NonNullable<Operation["precheck"]> = (call, { registry }) =>
  submissionOf(call, registry) === undefined ? jsonLayerError("Cannot parse prepared_transaction") : undefined;

/** Whether the request names the user of the token, and this user may act or execute as every submitter (Canton 3.5, the authorizers in ledger/api/auth/services). */
export const mayExecute: NonNullable<Operation["mayCall"]> = (call, world) => {
  const { caller, body } = call;
  if (caller.type !== "user") return caller.type === "everyone";
  const userId = textOf(body["userId"]);
  const submitters = submissionOf(call, world.registry)?.actAs ?? [];
  return (userId === "" || userId === caller.userId) && submitters.every((party) => mayExecuteAs(call, party, world));
};

/** Executes the submission of a body, or refuses it; the error carries the submission id. */
export function execute(call: Call, world: WorldView): Executed {
  const submission = submissionOf(call, world.registry);
  if (submission === undefined) throw new Error("invariant: the prepared transaction was decoded before");
  const executed = executeSubmission(call, submission, world);
  const correlationId = textOf(call.body["submissionId"]);
  return executed.type === "ledger-error" && correlationId !== "" ? { ...executed, correlationId } : executed;
}

function executeSubmission(call: Call, submission: Submission, world: WorldView): Executed {
  const { ledger, nowMs } = world;
  const userId = userIdOf(call);
  if (userId === undefined) return userMissing();
  const key = changeIdOf(userId, submission);
  const unfit = checkForm(call, submission) ?? checkTransaction(submission, call.body, world);
  if (unfit !== undefined) return unfit;
  const { found: transaction, used } = transactionOf(submission, call, world);
  const refusal =
    checkInputsOf(submission, used, call, ledger) ??
    checkSigned(submission, call.body, ledger) ??
    checkSignatures(call, submission, ledger) ??
    checkDuplicate(call.body, ledger.commands.get(key), ledger, nowMs) ??
    checkSubmitters(submission.actAs, world);
  if (refusal !== undefined) return refusal;
  if (transaction.type !== "transaction") return transaction;
  const submitted: Submitted = {
    key,
    userId,
    commandId: submission.commandId,
    submissionId: textOf(call.body["submissionId"]),
    workflowId: "",
    actAs: submission.actAs,
    synchronizerId: submission.synchronizerId,
    transactionHash: signedHash(call.body, submission),
  };
  return commitAndFollow(transaction.transaction, submitted, world);
}

/** A transaction that the fixture declares has no inputs. */
function checkInputsOf(
  { what }: Submission,
  used: InterpretedAgain["used"],
  { messages }: Call,
  ledger: LedgerState,
): Refusal | undefined {
  return what.type === "prepared" && used !== undefined
    ? checkInputs(what.prepared, used, ledger, messages())
    : undefined;
}

type FoundTransaction = { readonly type: "transaction"; readonly transaction: DamlTransaction } | Refusal;

interface InterpretedAgain {
  readonly found: FoundTransaction;
  /** The ids of the contracts that the transaction uses; undefined if they are its inputs, unchanged. */
  readonly used: readonly string[] | undefined;
}

/** Codes of commands whose package or choice the stub does not know. */
const uninterpreted: ReadonlySet<string> = new Set([
  "FAILED_TO_PREPARE_TRANSACTION",
  "JSON_API_PACKAGE_SELECTION_FAILED",
]);

/** Any contract may be used: one that the inputs of the transaction lack is refused later. */
const everything = { has: () => true };

/**
 * The transaction of the submission on the current ledger. A prepared transaction is interpreted again, as on a node, so
 * that stale or altered ones are refused. An interpretation is reused if nothing that it depends on has changed. A create
 * whose package the node lacks is executed without effect on contracts.
 */
function transactionOf({ what, actAs }: Submission, { packages }: Call, world: WorldView): InterpretedAgain {
  const updateId = nextUpdateId(world);
  const archives = packages.of(world.ledger);
  const options: InterpretationOptions = { ...world, archives, submitters: actAs, readers: [], disclosed: everything };
  if (what.type === "declared") return unused(foundIn(interpretDeclared(what.declared, options, updateId)));
  const { transaction, metadata } = what.prepared;
  if (transaction === undefined || metadata === undefined) throw new Error("invariant: the form was checked before");
  if (transaction.nodes.size === 0) return unused(noEffect);
  const inputs = metadata.inputContracts.map(({ contract }) => contract.contractId);
  const routed = synchronizerFor({ requested: metadata.synchronizerId, inputs, packages: [] }, world);
  if (routed.type !== "found") return unused(routed);
  if (what.known !== undefined && isCurrent(what.known, options))
    return { found: { type: "transaction", transaction }, used: undefined };
  const ledgerTimeMicros = metadata.preparationTimeMicros;
  const again = interpret(commandsOf(what.prepared), { ...options, ledgerTimeMicros }, metadata.transactionUuid);
  if (again.type === "failed" && uninterpreted.has(again.code))
    return unused(isForeign(transaction, world) ? noEffect : notExecuted(again.problem));
  const used = again.type === "interpreted" ? again.builder.inputs.map(({ contractId }) => contractId) : [];
  const found = foundIn(again);
  if (found.type !== "transaction" || isSameMessage(found.transaction, transaction)) return { found, used };
  return { found: notExecuted("the transaction is not what its commands come to"), used };
}

function unused(found: FoundTransaction): InterpretedAgain {
  return { found, used: [] };
}

const noEffect: FoundTransaction = {
  type: "transaction",
  transaction: { version: "", roots: [], nodes: new Map(), seeds: new Map() },
};

/** Whether no node refers to a contract of this ledger or to a token. */
function isForeign({ nodes }: DamlTransaction, { ledger }: WorldView): boolean {
  return ![...nodes.values()].some(
    (node) => node.type !== "rollback" && (ledger.contracts.has(node.contractId) || isTokenTemplate(node.templateId)),
  );
}

function foundIn(interpreted: Interpreted): FoundTransaction {
  if (interpreted.type === "interpreted")
    return { type: "transaction", transaction: interpreted.builder.transaction() };
  const { code, problem, resources } = interpreted;
  return code === "CONTRACT_NOT_FOUND" ? nodeError(code, problem, { resources }) : notExecuted(problem);
}

/** The commands behind the roots of a transaction; a missing root has none. */
function commandsOf({ transaction }: PreparedTransaction): readonly LedgerCommand[] {
  return (transaction?.roots ?? []).flatMap((root): readonly LedgerCommand[] => {
    const node = transaction?.nodes.get(root);
    if (node?.type === "create")
      return [{ type: "create", templateId: node.templateId, argument: { type: "value", value: node.argument } }];
    if (node?.type !== "exercise") return [];
    const { interfaceId, templateId, contractId, choice } = node;
    const argument = { type: "value", value: node.argument } as const;
    return [{ type: "exercise", templateId: interfaceId ?? templateId, contractId, choice, argument }];
  });
}
