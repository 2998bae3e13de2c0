import type { JsonObject } from "../../../foundation/json/json.ts";
import { decentralizedNamespaceOf, fingerprintOf } from "../../../foundation/protobuf/fingerprint.ts";
import type {
  PartyHosting,
  PublicKey,
  TopologyMapping,
  TopologyTransaction,
} from "../../../foundation/protobuf/topology-transaction.ts";
import { isIdentifier } from "../../../foundation/spec/identifiers.ts";
import type { NamespaceDefinition } from "../../ledger/ledger-state.ts";

/** One onboarding transaction with its signatures. */
export interface SignedTopologyTransaction {
  readonly transaction: TopologyTransaction;
  /** The serialized transaction. */
  readonly bytes: Uint8Array;
  /** Signatures of this transaction; `common` has those of the hash over all transactions. */
  readonly own: readonly JsonObject[];
  readonly common: readonly JsonObject[];
  /** Whether the key with this fingerprint signed the transaction, alone or together with all others. */
  readonly isSignedBy: (fingerprint: string) => boolean;
}

/** The content of all transactions of an onboarding. */
export interface Onboarding {
  readonly hosting: PartyHosting;
  /** The fingerprint after the `::` of the party. */
  readonly namespace: string;
  /** The decentralized namespace that the transactions define. */
  readonly definition: NamespaceDefinition | undefined;
  /** The namespaces whose delegations are among the transactions. */
  readonly delegated: readonly string[];
  /** The keys that sign for the party, and their threshold. */
  readonly keys: readonly PublicKey[];
  readonly keyThreshold: number;
}

/** The rules of the node that reads an onboarding. */
interface OnboardingRules {
  readonly participantId: string;
  /** Whether it follows the spec where releases deviate. */
  readonly isByLetter: boolean;
}

type OnboardingResult =
  | { readonly type: "read"; readonly onboarding: Onboarding }
  | { readonly type: "refused"; readonly problem: string };

type Mapping<Type extends TopologyMapping["type"]> = Extract<TopologyMapping, { readonly type: Type }>;

const ownersMax = 10;
/** Bounds the hashes of one request: each key has its fingerprint. */
const keysMax = 1000;

/** Reads and checks the onboarding of a party on this participant (Canton 3.5, ApiPartyManagementService.scala). Authorization is checked separately. */
export function readOnboarding(
  transactions: readonly SignedTopologyTransaction[],
  { participantId, isByLetter }: OnboardingRules,
): OnboardingResult {
  const mappings = transactions.map(({ transaction }) => transaction.mapping);
  const hostings = mappings.filter((mapping) => mapping.type === "party-to-participant");
  const [first, ...others] = hostings;
  if (first === undefined) return refused("One transaction of type PartyToParticipant must be provided, got 0");
  if (others.length > 0)
    return refused(`Only one transaction of type PartyToParticipant is allowed, got ${hostings.length}`);
  if (mappings.some(({ type }) => type === "other")) return refused("Unsupported transactions found");
  const { hosting } = first;
  const namespace = hosting.party.split("::")[1] ?? "";
  const delegations = mappings.filter((mapping) => mapping.type === "namespace-delegation");
  const decentralized = mappings.filter((mapping) => mapping.type === "decentralized-namespace");
  const keys = mappings.filter((mapping) => mapping.type === "party-to-key");
  const problem =
    checkNamespaces(namespace, delegations, decentralized) ??
    checkKeys(hosting, keys) ??
    checkHosting(hosting, participantId) ??
    checkThreshold(hosting, isByLetter);
  if (problem !== undefined) return refused(problem);
  const { keys: signing, threshold: keyThreshold } = keys[0] ?? { keys: hosting.keys, threshold: hosting.keyThreshold };
  return {
    type: "read",
    onboarding: {
      hosting,
      namespace,
      definition: decentralized[0],
      delegated: delegations.map((delegation) => delegation.namespace),
      keys: signing,
      keyThreshold,
    },
  };
}

function checkNamespaces(
  namespace: string,
  delegations: readonly Mapping<"namespace-delegation">[],
  decentralized: readonly Mapping<"decentralized-namespace">[],
): string | undefined {
  const [definition, ...others] = decentralized;
  if (others.length > 0) return "Only one transaction of type DecentralizedNamespaceDefinition is allowed";
  const forged = delegations.find((delegation) => delegation.namespace !== fingerprintOf(delegation.targetKey.bytes));
  if (forged !== undefined) return `The namespace delegation of ${forged.namespace} is not a self-signed root`;
  if (definition === undefined) {
    const foreign = delegations.find((delegation) => delegation.namespace !== namespace);
    if (foreign === undefined && delegations.length <= 1) return undefined;
    return `The party's namespace ${namespace} does not match the namespace of the delegations`;
  }
  const owners = new Set(definition.owners).size;
  if (owners !== definition.owners.length) return "An owner of the decentralized namespace is listed twice";
  if (definition.threshold < 1 || definition.threshold > owners)
    return `A threshold of ${definition.threshold} does not fit ${owners} owners`;
  if (definition.owners.length > ownersMax)
    return `Decentralized namespaces cannot have more than ${ownersMax} individual namespace owners, got ${definition.owners.length}`;
  if (definition.namespace !== namespace || definition.namespace !== decentralizedNamespaceOf(definition.owners))
    return `The party's namespace ${namespace} does not match the decentralized namespace of its owners`;
  const stranger = delegations.find((delegation) => !definition.owners.includes(delegation.namespace));
  return stranger === undefined ? undefined : `The namespace ${stranger.namespace} is no owner of ${namespace}`;
}

function checkKeys(
  { party, keys, keyThreshold }: PartyHosting,
  separate: readonly Mapping<"party-to-key">[],
): string | undefined {
  const [mapping, ...others] = separate;
  if (others.length > 0) return "Only one transaction of type PartyToKeyMapping is allowed";
  if (mapping !== undefined && mapping.party !== party) return `The keys are those of another party, ${mapping.party}`;
  if (mapping !== undefined && keys.length > 0)
    return "Party signing keys must be in PartyToParticipant or in PartyToKeyMapping, not in both";
  const [given, threshold] = mapping === undefined ? [keys, keyThreshold] : [mapping.keys, mapping.threshold];
  if (given.length > keysMax) return `A party cannot have more than ${keysMax} signing keys, got ${given.length}`;
  const count = new Set(given.map(({ bytes }) => fingerprintOf(bytes))).size;
  if (count === 0) return "Party signing keys must be supplied";
  if (given.some(({ bytes }) => bytes.length === 0)) return "A party signing key is empty";
  if (count !== given.length) return "A party signing key is listed twice";
  return threshold < 1 || threshold > count
    ? `A threshold of ${threshold} does not fit ${count} signing keys`
    : undefined;
}

function checkHosting({ participants }: PartyHosting, participantId: string): string | undefined {
  const self = participants.find(({ id }) => id === participantId);
  const misnamed = participants.find(({ id }) => !isIdentifier("participantId", id));
  if (misnamed !== undefined) return `${JSON.stringify(misnamed.id)} is not a participant`;
  if (new Set(participants.map(({ id }) => id)).size !== participants.length) return "A host is listed twice";
  if (participants.some(({ permission }) => permission === "submission"))
    return "External parties cannot be hosted with submission permission";
  if (participants.some(({ permission }) => permission === "unspecified")) return "A hosting permission is unspecified";
  return self === undefined
    ? `The party is to be allocated on ${participantId}, which is not among its hosts`
    : undefined;
}

/** In profile `spec` it is enough that hosts observe (spec §4.2); a release needs a confirming one. */
function checkThreshold({ participants, threshold }: PartyHosting, isByLetter: boolean): string | undefined {
  const confirming = participants.filter(({ permission }) => permission === "confirmation").length;
  if (confirming === 0 && !isByLetter)
    return "The party must be hosted on at least one node with confirmation permission";
  const [count, hosts] = confirming === 0 ? [participants.length, "observing"] : [confirming, "confirming"];
  return threshold < 1 || threshold > count
    ? `A threshold of ${threshold} does not fit ${count} ${hosts} participants`
    : undefined;
}

/**
 * The first owner of a defined decentralized namespace without a delegation, neither among the transactions nor known
 * (spec §4.2).
 */
export function undelegatedOwner(
  { definition, delegated }: Onboarding,
  isKnown: (namespace: string) => boolean,
): string | undefined {
  return definition?.owners.find((owner) => !delegated.includes(owner) && !isKnown(owner));
}

/** The first missing signer; undefined if the transactions are authorized. A known namespace definition counts. */
export function missingSigner(
  transactions: readonly SignedTopologyTransaction[],
  { namespace, definition: given }: Onboarding,
  known: NamespaceDefinition | undefined,
): string | undefined {
  const definition = given ?? known;
  for (const { transaction, isSignedBy } of transactions) {
    const missing = missingFor(transaction.mapping, isSignedBy, namespace, definition);
    if (missing !== undefined) return missing;
  }
  return undefined;
}

function missingFor(
  mapping: TopologyMapping,
  isSignedBy: (fingerprint: string) => boolean,
  namespace: string,
  definition: NamespaceDefinition | undefined,
): string | undefined {
  switch (mapping.type) {
    case "namespace-delegation":
      return isSignedBy(mapping.namespace) ? undefined : mapping.namespace;
    case "decentralized-namespace":
      return mapping.owners.find((owner) => !isSignedBy(owner));
    case "party-to-participant":
      return ownerMissing(namespace, definition, isSignedBy) ?? keyMissing(mapping.hosting.keys, isSignedBy);
    case "party-to-key":
      return ownerMissing(namespace, definition, isSignedBy) ?? keyMissing(mapping.keys, isSignedBy);
    case "other":
      return undefined;
  }
}

/** Requires the key of the namespace, or as many owners as its threshold. */
function ownerMissing(
  namespace: string,
  definition: NamespaceDefinition | undefined,
  isSignedBy: (fingerprint: string) => boolean,
): string | undefined {
  if (definition === undefined) return isSignedBy(namespace) ? undefined : namespace;
  const absent = definition.owners.filter((owner) => !isSignedBy(owner));
  return definition.owners.length - absent.length >= definition.threshold ? undefined : absent[0];
}

/** Requires that an added key signs, too. */
function keyMissing(keys: readonly PublicKey[], isSignedBy: (fingerprint: string) => boolean): string | undefined {
  return keys.map(({ bytes }) => fingerprintOf(bytes)).find((fingerprint) => !isSignedBy(fingerprint));
}

function refused(problem: string): OnboardingResult {
  return { type: "refused", problem };
}
