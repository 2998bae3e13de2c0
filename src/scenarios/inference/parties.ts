import type { Json, JsonObject } from "../../foundation/json/json.ts";
import { objectOf, objectsOf, textOf, withoutUndefined } from "../../foundation/json/members.ts";
import { decodeTopologyTransaction } from "../../foundation/protobuf/topology-transaction.ts";
import { isIdentifier } from "../../foundation/spec/identifiers.ts";
import { isDefinedIn, isDefinedOrForeign } from "../files/fixtures/defined-names.ts";
import { danglingInLedger, danglingInRegistry } from "../files/fixtures/references.ts";
import type { RecordedCall } from "./recorded-call.ts";
import { SeenEntities } from "./seen-entities.ts";

/** Limit of parties that requests name in one recording. */
const mentionedMax = 100_000;

/** The placeholder for a participant that hosts non-local parties. */
const otherParticipant = "other-participant::1220d2af4dc8fb25885c11df85c80afeb1b6ba8c1cd1ceb05d0694567b6b0a82a435";

/** The initial parties and the participant, as responses show them. */
export class SeenParties {
  readonly #parties = new SeenEntities();
  /** Parties that requests name. They have to exist unless a listing lacks them. */
  readonly #mentioned = new Set<string>();
  #participantId = "";
  /** Whether a listing showed all parties. Others did not exist then. */
  #isListed = false;

  note({ operation, status, body, response }: RecordedCall): void {
    if (status !== 200) return;
    const json = objectOf(response);
    switch (operation.operationId) {
      case "getV2Parties":
      case "getV2PartiesParty":
        for (const shown of objectsOf(json["partyDetails"]))
          this.#parties.of(textOf(shown["party"])).show("shown", shown);
        if (operation.operationId === "getV2Parties") this.#isListed = true;
        return;
      case "getV2PartiesParticipant-id":
        this.noteParticipant(textOf(json["participantId"]));
        return;
      case "postV2Parties":
        this.#parties.of(textOf(objectOf(json["partyDetails"])["party"]), false).settle();
        return;
      case "postV2PartiesExternalAllocate":
        for (const { transaction } of objectsOf(objectOf(body)["onboardingTransactions"]))
          this.noteParticipant(hostIn(textOf(transaction)));
        this.#parties.of(textOf(json["partyId"]), false).settle();
        return;
      default:
    }
  }

  /** How many parties are on other participants, which no response names: they have a placeholder. */
  get remote(): number {
    return this.rows().filter(({ hostedBy }) => hostedBy !== undefined).length;
  }

  get participantId(): string {
    return this.#participantId;
  }

  noteParticipant(id: string): void {
    this.#participantId ||= id;
  }

  /** Notes a party to which a request gave rights, or which submitted. */
  mention(id: string): void {
    if (isIdentifier("partyId", id) && this.#mentioned.size < mentionedMax) this.#mentioned.add(id);
  }

  rows(): readonly JsonObject[] {
    if (!this.#isListed) for (const id of this.#mentioned) this.#parties.of(id);
    return this.#parties.rows(rowOf);
  }
}

function rowOf(id: string, members: ReadonlyMap<string, Json>): JsonObject {
  const shown = objectOf(members.get("shown"));
  const metadata = objectOf(shown["localMetadata"]);
  const isAnnotated = Object.keys(objectOf(metadata["annotations"])).length > 0;
  return withoutUndefined({
    id,
    identityProviderId: textOf(shown["identityProviderId"]) || undefined,
    annotations: isAnnotated ? metadata["annotations"] : undefined,
    resourceVersion: metadata["resourceVersion"],
    hostedBy: shown["isLocal"] === false ? [otherParticipant] : undefined,
  });
}

/** The first host of the party in a topology transaction; empty without one. */
function hostIn(transaction: string): string {
  const mapping = decodeTopologyTransaction(transaction)?.mapping;
  return (mapping?.type === "party-to-participant" ? mapping.hosting.participants[0]?.id : undefined) ?? "";
}

/** The ledger with a declaration for each party that is named and that the recording shows not to exist at the start. */
export function withDeclaredParties(ledger: JsonObject, registry: JsonObject): JsonObject {
  const rows = objectsOf(ledger["parties"]);
  if (rows.length === 0) return ledger;
  const parties = new Set(rows.map(({ id }) => textOf(id)));
  const dangling = [
    ...danglingInLedger(ledger, isDefinedIn({ parties })),
    ...danglingInRegistry(registry, isDefinedOrForeign({ parties })),
  ];
  const names = new Set(dangling.filter(({ kind }) => kind === "parties").map(({ name }) => name));
  if (names.size === 0) return ledger;
  return { ...ledger, parties: [...rows, ...[...names].map((id) => ({ id, hostedBy: [] }))] };
}
