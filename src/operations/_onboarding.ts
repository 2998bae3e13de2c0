import { decentralizedNamespaceOf, fingerprintOf } from "../protobuf/fingerprint.ts";
import type { PartyHosting, TopologyMapping, TopologyTransaction } from "../protobuf/topology-transaction.ts";

/** One onboarding transaction, with the fingerprints of the keys that signed it. */
export interface SignedTopologyTransaction {
  readonly transaction: TopologyTransaction;
  readonly signedBy: ReadonlySet<string>;
}

/** What the transactions of an onboarding say together. */
export interface Onboarding {
  readonly hosting: PartyHosting;
  /** The fingerprint behind the party's `::`. */
  readonly namespace: string;
  readonly isDecentralized: boolean;
}

export type OnboardingResult =
  | { readonly type: "read"; readonly onboarding: Onboarding }
  | { readonly type: "refused"; readonly problem: string };

type Mapping<Type extends TopologyMapping["type"]> = Extract<TopologyMapping, { readonly type: Type }>;

const ownersMax = 10;

/** Reads and checks the onboarding of a party on this participant (facts, ledger-api 4.3). Authorization is checked apart. */
export function readOnboarding(
  transactions: readonly SignedTopologyTransaction[],
  participantId: string,
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
    checkHosting(hosting, participantId);
  if (problem !== undefined) return refused(problem);
  return { type: "read", onboarding: { hosting, namespace, isDecentralized: decentralized.length > 0 } };
}

function checkNamespaces(
  namespace: string,
  delegations: readonly Mapping<"namespace-delegation">[],
  decentralized: readonly Mapping<"decentralized-namespace">[],
): string | undefined {
  const [definition, ...others] = decentralized;
  if (others.length > 0) return "Only one transaction of type DecentralizedNamespaceDefinition is allowed";
  const forged = delegations.find((delegation) => delegation.namespace !== fingerprintOf(delegation.targetKey));
  if (forged !== undefined) return `The namespace delegation of ${forged.namespace} is not a self-signed root`;
  if (definition === undefined) {
    const foreign = delegations.find((delegation) => delegation.namespace !== namespace);
    if (foreign === undefined && delegations.length <= 1) return undefined;
    return `The party's namespace ${namespace} does not match the namespace of the delegations`;
  }
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
  const [count, threshold] =
    mapping === undefined ? [keys.length, keyThreshold] : [mapping.keys.length, mapping.threshold];
  if (count === 0) return "Party signing keys must be supplied";
  return threshold < 1 || threshold > count
    ? `A threshold of ${threshold} does not fit ${count} signing keys`
    : undefined;
}

function checkHosting({ participants, threshold }: PartyHosting, participantId: string): string | undefined {
  const self = participants.find(({ id }) => id === participantId);
  if (participants.some(({ permission }) => permission === "submission"))
    return "External parties cannot be hosted with submission permission";
  if (participants.some(({ permission }) => permission === "unspecified")) return "A hosting permission is unspecified";
  if (self === undefined) return `The party is to be allocated on ${participantId}, which is not among its hosts`;
  const confirming = participants.filter(({ permission }) => permission === "confirmation").length;
  if (confirming === 0) return "The party must be hosted on at least one node with confirmation permission";
  return threshold < 1 || threshold > confirming
    ? `A threshold of ${threshold} does not fit ${confirming} confirming participants`
    : undefined;
}

/** Whose signature is missing; undefined where the transactions are authorized. Signatures are taken at their word. */
export function missingSigner(
  transactions: readonly SignedTopologyTransaction[],
  { namespace }: Onboarding,
): string | undefined {
  const definition = transactions
    .map(({ transaction }) => transaction.mapping)
    .find((mapping) => mapping.type === "decentralized-namespace");
  for (const { transaction, signedBy } of transactions) {
    const missing = missingFor(transaction.mapping, signedBy, namespace, definition);
    if (missing !== undefined) return missing;
  }
  return undefined;
}

function missingFor(
  mapping: TopologyMapping,
  signedBy: ReadonlySet<string>,
  namespace: string,
  definition: Mapping<"decentralized-namespace"> | undefined,
): string | undefined {
  switch (mapping.type) {
    case "namespace-delegation":
      return signedBy.has(mapping.namespace) ? undefined : mapping.namespace;
    case "decentralized-namespace":
      return mapping.owners.find((owner) => !signedBy.has(owner));
    case "party-to-participant":
      return ownerMissing(namespace, definition, signedBy) ?? keyMissing(mapping.hosting.keys, signedBy);
    case "party-to-key":
      return ownerMissing(namespace, definition, signedBy) ?? keyMissing(mapping.keys, signedBy);
    case "other":
      return undefined;
  }
}

/** The namespace's own key, or as many owners as its threshold wants. */
function ownerMissing(
  namespace: string,
  definition: Mapping<"decentralized-namespace"> | undefined,
  signedBy: ReadonlySet<string>,
): string | undefined {
  if (definition === undefined) return signedBy.has(namespace) ? undefined : namespace;
  const absent = definition.owners.filter((owner) => !signedBy.has(owner));
  return definition.owners.length - absent.length >= definition.threshold ? undefined : absent[0];
}

/** A key that is added has to prove itself. */
function keyMissing(keys: readonly Uint8Array[], signedBy: ReadonlySet<string>): string | undefined {
  return keys.map(fingerprintOf).find((fingerprint) => !signedBy.has(fingerprint));
}

function refused(problem: string): OnboardingResult {
  return { type: "refused", problem };
}
