import type { JsonObject } from "../../foundation/json/json.ts";
import { objectOf, objectsOf, textOf, withoutUndefined } from "../../foundation/json/members.ts";
import { decodeTopologyTransaction } from "../../foundation/protobuf/topology-transaction.ts";
import { isIdentifier } from "../../foundation/spec/identifiers.ts";
import { isDefinedIn, isDefinedOrForeign } from "../files/fixtures/defined-names.ts";
import { danglingInLedger, danglingInPlan, danglingInRegistry } from "../files/fixtures/references.ts";
import type { Call } from "./call.ts";

interface SeenParty {
  /** Whether it existed initially; undefined if only requests name it. */
  readonly existed: boolean | undefined;
  /** The party in a response. */
  readonly shown: JsonObject;
}

/** Limit of parties in one recording. */
const partiesMax = 100_000;

/** The placeholder for a participant that hosts non-local parties. */
const otherParticipant = "other-participant::1220d2af4dc8fb25885c11df85c80afeb1b6ba8c1cd1ceb05d0694567b6b0a82a435";

/** The initial parties and the participant, as responses show them. */
export class SeenParties {
  readonly #parties = new Map<string, SeenParty>();
  #participantId = "";
  /** Whether a listing showed all parties. Others did not exist then. */
  #isListed = false;

  note({ operation, status, body, response }: Call): void {
    if (status !== 200) return;
    const json = objectOf(response);
    switch (operation.operationId) {
      case "getV2Parties":
      case "getV2PartiesParty":
        for (const shown of objectsOf(json["partyDetails"]))
          this.#add(textOf(shown["party"]), { existed: true, shown });
        if (operation.operationId === "getV2Parties") this.#isListed = true;
        return;
      case "getV2PartiesParticipant-id":
        this.noteParticipant(textOf(json["participantId"]));
        return;
      case "postV2Parties":
        this.#add(textOf(objectOf(json["partyDetails"])["party"]), { existed: false, shown: {} });
        return;
      case "postV2PartiesExternalAllocate":
        for (const { transaction } of objectsOf(objectOf(body)["onboardingTransactions"]))
          this.noteParticipant(hostIn(textOf(transaction)));
        this.#add(textOf(json["partyId"]), { existed: false, shown: {} });
        return;
      default:
    }
  }

  get participantId(): string {
    return this.#participantId;
  }

  noteParticipant(id: string): void {
    this.#participantId ||= id;
  }

  /** Notes a party to which a request gave rights, or which submitted. It has to exist unless a listing lacks it. */
  mention(id: string): void {
    if (isIdentifier("partyId", id)) this.#add(id, { existed: undefined, shown: {} });
  }

  /** The identity providers that manage parties. */
  get providers(): readonly string[] {
    return this.rows().map(({ identityProviderId }) => textOf(identityProviderId));
  }

  rows(): readonly JsonObject[] {
    const there = [...this.#parties].filter(([, { existed }]) => existed ?? !this.#isListed);
    return there
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([id, { shown }]) => {
        const metadata = objectOf(shown["localMetadata"]);
        const isAnnotated = Object.keys(objectOf(metadata["annotations"])).length > 0;
        return withoutUndefined({
          id,
          identityProviderId: textOf(shown["identityProviderId"]) || undefined,
          annotations: isAnnotated ? metadata["annotations"] : undefined,
          resourceVersion: metadata["resourceVersion"],
          hostedBy: shown["isLocal"] === false ? [otherParticipant] : undefined,
        });
      });
  }

  #add(id: string, party: SeenParty): void {
    if (id === "" || this.#parties.get(id)?.existed !== undefined) return;
    if (this.#parties.has(id) || this.#parties.size < partiesMax) this.#parties.set(id, party);
  }
}

/** The first host of the party in a topology transaction; empty without one. */
function hostIn(transaction: string): string {
  const mapping = decodeTopologyTransaction(transaction)?.mapping;
  return (mapping?.type === "party-to-participant" ? mapping.hosting.participants[0]?.id : undefined) ?? "";
}

/** The ledger with a declaration for each party that is named and that the recording shows not to exist at the start. */
export function withDeclaredParties(ledger: JsonObject, registry: JsonObject, plan: readonly JsonObject[]): JsonObject {
  const rows = objectsOf(ledger["parties"]);
  if (rows.length === 0) return ledger;
  const parties = new Set(rows.map(({ id }) => textOf(id)));
  const isForeign = isDefinedOrForeign({ parties });
  const dangling = [
    ...danglingInLedger(ledger, isDefinedIn({ parties })),
    ...danglingInRegistry(registry, isForeign),
    ...danglingInPlan([...plan], isForeign),
  ];
  const names = new Set(dangling.filter(({ kind }) => kind === "parties").map(({ name }) => name));
  if (names.size === 0) return ledger;
  return { ...ledger, parties: [...rows, ...[...names].map((id) => ({ id, hostedBy: [] }))] };
}
