import { bytesToHex } from "@noble/hashes/utils.js";
import type { JsonObject } from "../../../foundation/json/json.ts";
import { objectsOf, textOf } from "../../../foundation/json/members.ts";
import type { BodyMessages } from "../../../foundation/protobuf/body-messages.ts";
import { isIdentifier } from "../../../foundation/spec/identifiers.ts";
import { bytesOfBase64 } from "../../../foundation/text/base64.ts";
import type { LedgerChange } from "../../ledger/ledger-change.ts";
import type { LedgerState, Party } from "../../ledger/ledger-state.ts";
import { synchronizerProblem, uniqueIdentifierProblem } from "../_identifier-problem.ts";
import { connectedSynchronizer } from "../_synchronizer.ts";
import { isUserAdministrator } from "../_user-administrator.ts";
import { managedElsewhere, userNotFound } from "../_user-refusal.ts";
import type { Call, Operation, OperationResult, WorldView } from "../operation.ts";
import { invalidArgument, invalidField, type LedgerError, missingField, nodeError, type Refusal } from "../refusal.ts";
import {
  missingSigner,
  type Onboarding,
  readOnboarding,
  type SignedTopologyTransaction,
  undelegatedOwner,
} from "./_onboarding.ts";
import {
  areSignaturesValid,
  multiHashOf,
  signatureCount,
  signaturesMax,
  signingKeyOf,
} from "./_topology-signatures.ts";

/** `POST /v2/parties/external/allocate`: allocates a party that signs for itself (spec §4.2; Canton 3.5, ApiPartyManagementService.scala). */
export const allocateExternalParty: Operation = {
  operationId: "postV2PartiesExternalAllocate",
  mayCall: ({ caller, body }) => isUserAdministrator(caller, textOf(body["identityProviderId"])),
  perform: allocate,
};

function allocate(call: Call, { ledger, participants, nowMs }: WorldView): OperationResult {
  const { release } = call;
  const body = release.hasAllocationForUsers ? call.body : withoutUserMembers(call.body);
  const misplaced = checkSynchronizer(textOf(body["synchronizer"]), ledger);
  if (misplaced !== undefined) return misplaced;
  const read = readTransactions(body, call.messages());
  if (read.type === "refused") return read.refusal;
  const misnamed = checkNames(body);
  if (misnamed !== undefined) return misnamed;
  const result = readOnboarding(read.transactions, {
    participantId: ledger.participantId,
    isByLetter: release.isByLetter,
  });
  if (result.type === "refused") return invalidArgument(result.problem);
  const unfit = checkUsers({ ...call, body }, ledger);
  if (unfit !== undefined) return unfit;
  const { onboarding } = result;
  const { party } = onboarding.hosting;
  const unidentified = uniqueIdentifierProblem(party);
  if (unidentified !== undefined) return invalidArgument(unidentified);
  const onboardingHash = bytesToHex(multiHashOf(read.transactions));
  const isProposed =
    ledger.proposals.has(party) ||
    [...participants.values()].some((other) => other.parties.get(party)?.onboardingHash === onboardingHash);
  const unauthorized = checkAuthorization({ ...call, isProposed }, read.transactions, onboarding, ledger);
  if (unauthorized !== undefined) return unauthorized;
  const known = ledger.parties.get(party);
  if (known !== undefined) {
    const refused = alreadyAllocated(known, textOf(body["synchronizer"]), nowMs);
    return { ...refused, correlationId: onboardingHash };
  }
  return {
    type: "succeeded",
    body: { partyId: party },
    changes: changesOf({ ...call, body, onboardingHash }, onboarding, ledger, nowMs),
  };
}

/** Removes members that an older release ignores (Canton, openapi.yaml of 3.4 and 3.5). */
function withoutUserMembers({ userId, waitForAllocation, identityProviderId, ...known }: JsonObject): JsonObject {
  return known;
}

function checkSynchronizer(synchronizer: string, ledger: LedgerState): Refusal | undefined {
  if (synchronizer === "") return missingField("synchronizer");
  const misnamed = synchronizerProblem(synchronizer);
  if (misnamed !== undefined) return invalidField("synchronizer", misnamed);
  return connectedSynchronizer(synchronizer, ledger) !== undefined
    ? undefined
    : invalidArgument(`This node is not connected to the synchronizer ${synchronizer}`);
}

type ReadTransactions =
  | { readonly type: "read"; readonly transactions: readonly SignedTopologyTransaction[] }
  | { readonly type: "refused"; readonly refusal: Refusal };

function readTransactions(body: JsonObject, messages: BodyMessages): ReadTransactions {
  const entries = objectsOf(body["onboardingTransactions"]);
  const common = objectsOf(body["multiHashSignatures"]);
  const commonSigners = signersOf(common);
  const transactions: SignedTopologyTransaction[] = [];
  for (const entry of entries) {
    const transaction = messages.topologyTransaction(textOf(entry["transaction"]));
    if (transaction === undefined)
      return refused("onboarding_transactions.transaction", "the bytes are not a topology transaction");
    if (!transaction.isAddOrReplace || transaction.serial !== 1)
      return refused(
        "onboarding_transactions.transaction",
        "an onboarding transaction must be a Replace with serial 1",
      );
    const own = objectsOf(entry["signatures"]);
    const signers = signersOf(own);
    const isSignedBy = (fingerprint: string) => signers.has(fingerprint) || commonSigners.has(fingerprint);
    const bytes = bytesOfBase64(textOf(entry["transaction"])) ?? new Uint8Array();
    transactions.push({ transaction, bytes, own, common, isSignedBy });
  }
  if (entries.length === 0) return refused("onboarding_transactions.transactions", "the list is empty");
  const unspecified = [...entries.flatMap((entry) => objectsOf(entry["signatures"])), ...common].find(
    ({ format, signingAlgorithmSpec }) =>
      format === "SIGNATURE_FORMAT_UNSPECIFIED" || signingAlgorithmSpec === "SIGNING_ALGORITHM_SPEC_UNSPECIFIED",
  );
  return unspecified === undefined
    ? { type: "read", transactions }
    : refused("onboarding_transactions.signatures", "format or algorithm of a signature is unspecified");
}

function refused(field: string, problem: string): ReadTransactions {
  return { type: "refused", refusal: invalidField(field, problem) };
}

function signersOf(signatures: readonly JsonObject[]): ReadonlySet<string> {
  return new Set(signatures.map((signature) => textOf(signature["signedBy"])));
}

function checkNames(body: JsonObject): Refusal | undefined {
  const userId = textOf(body["userId"]);
  return userId === "" || isIdentifier("userId", userId)
    ? undefined
    : invalidField("user_id", `${JSON.stringify(userId)} is not a user id`);
}

function checkUsers({ body }: Call, ledger: LedgerState): Refusal | undefined {
  const [provider, userId] = [textOf(body["identityProviderId"]), textOf(body["userId"])];
  if (provider !== "" && !ledger.identityProviders.has(provider))
    return invalidArgument(`Provided identity_provider_id ${provider} has not been found.`);
  if (userId === "") return undefined;
  const user = ledger.users.get(userId);
  if (user === undefined) return userNotFound(userId);
  if (user.identityProviderId !== provider) return managedElsewhere(userId);
  return user.rights.size < ledger.limits.rightsPerUserMax
    ? undefined
    : nodeError("TOO_MANY_USER_RIGHTS", `User ${userId} has ${user.rights.size} rights already`, {
        resources: [["USER", userId]],
      });
}

/**
 * Checks that all required signers signed, and that each signature is valid if signatures are verified. The signatures of
 * a proposal count: a further host need not send them again (Canton 3.5, a test of multi-hosted onboarding).
 */
function checkAuthorization(
  { areSignaturesVerified, isProposed }: Call & { readonly isProposed: boolean },
  transactions: readonly SignedTopologyTransaction[],
  onboarding: Onboarding,
  { namespaces, participantId }: LedgerState,
): Refusal | undefined {
  if (areSignaturesVerified) {
    const count = signatureCount(transactions);
    if (count > signaturesMax) return invalidArgument(`There are ${count} signatures, the limit is ${signaturesMax}`);
    if (!areSignaturesValid(transactions, onboarding))
      return { type: "legacy-error", description: "Transaction signature verification failed" };
  }
  if (isProposed) return undefined;
  const signer = missingSigner(transactions, onboarding, namespaces.get(onboarding.namespace));
  if (signer !== undefined) return unauthorized(`missing ${signer}`);
  const isKnown = (namespace: string) => namespaces.has(namespace) || participantId.endsWith(`::${namespace}`);
  const owner = undelegatedOwner(onboarding, isKnown);
  return owner === undefined ? undefined : unauthorized(`missing the namespace delegation of ${owner}`);
}

function unauthorized(problem: string): Refusal {
  return { type: "legacy-error", description: `Topology transaction authorization cannot be verified: ${problem}` };
}

/** The internal code for a duplicate never reaches the client (Canton 3.5, ApiPartyManagementService.scala). */
function alreadyAllocated({ id, visibleFromMs }: Party, synchronizer: string, nowMs: number): LedgerError {
  return visibleFromMs > nowMs
    ? nodeError("REQUEST_ALREADY_IN_FLIGHT", `The allocation of ${id} is in flight`)
    : invalidArgument(`Party ${id} already exists on synchronizer ${synchronizer}`);
}

/** The changes of an allocation. Only a party with a single host and without a decentralized namespace can be waited for. */
function changesOf(
  { body, onboardingHash }: Call & { readonly onboardingHash: string },
  { hosting, namespace, definition, delegated, keys, keyThreshold }: Onboarding,
  { participantId, users, limits, proposals }: LedgerState,
  nowMs: number,
): readonly LedgerChange[] {
  const hostedBy = hosting.participants.map(({ id }) => id);
  const authorizing = [participantId, ...(proposals.get(hosting.party) ?? [])];
  const isWaitPossible = hostedBy.length === 1 && definition === undefined;
  const isWaiting = isWaitPossible && body["waitForAllocation"] !== false;
  const party: Party = {
    id: hosting.party,
    onboardingHash,
    hostedBy,
    awaiting: hostedBy.filter((id) => !authorizing.includes(id)),
    visibleFromMs: isWaiting ? nowMs : nowMs + limits.allocationMs,
    identityProviderId: textOf(body["identityProviderId"]),
    annotations: {},
    resourceVersion: "",
    signingKeys: keys.map(signingKeyOf),
    signingThreshold: keyThreshold,
  };
  const userId = textOf(body["userId"]);
  const rights = [{ type: "CanActAs", party: party.id }] as const;
  const granted = users.has(userId) ? [{ type: "rights-granted", userId, rights } as const] : [];
  const defined = definition === undefined ? [] : [{ type: "namespace-defined", namespace, definition } as const];
  const delegations = delegated.map(
    (owner): LedgerChange => ({
      type: "namespace-defined",
      namespace: owner,
      definition: { owners: [owner], threshold: 1 },
    }),
  );
  return [...delegations, ...defined, { type: "party-allocated", party }, ...granted];
}
