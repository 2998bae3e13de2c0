import type { JsonObject } from "../../foundation/json/json.ts";
import { objectOf, objectsOf, textOf, textsOf, withoutUndefined } from "../../foundation/json/members.ts";
import { isIdentifier } from "../../foundation/spec/identifiers.ts";
import { isDefinedIn, isDefinedOrForeign } from "../files/fixtures/defined-names.ts";
import { danglingInLedger, danglingInPlan, danglingInRegistry } from "../files/fixtures/references.ts";
import { type Call, causeOf } from "./call.ts";
import { hostsIn } from "./hostings.ts";

interface SeenParty {
  existed: boolean | undefined;
  isLocal: boolean;
  identityProviderId: string;
  /** The local metadata, if a response shows it. */
  metadata?: JsonObject;
}

/** Limit of parties in one recording. */
const partiesMax = 100_000;

/** The placeholder for a participant that hosts non-local parties. */
const otherParticipant = "other-participant::1220d2af4dc8fb25885c11df85c80afeb1b6ba8c1cd1ceb05d0694567b6b0a82a435";

/** The initial parties and the participant, inferred from requests and responses. */
export class SeenParties {
  readonly #parties = new Map<string, SeenParty>();
  #participantId = "";
  /** The first host of an allocated party with several hosts. */
  #firstHost = "";
  /** Whether a listing showed all parties. Others did not exist then. */
  #isListed = false;

  note(call: Call): void {
    const { operation, status, response } = call;
    switch (operation.operationId) {
      case "getV2Parties":
      case "getV2PartiesParty":
        if (status === 200) for (const shown of objectsOf(objectOf(response)["partyDetails"])) this.#show(shown);
        if (status === 200 && operation.operationId === "getV2Parties") this.#isListed = true;
        return;
      case "getV2PartiesParticipant-id":
        if (status === 200) this.noteParticipant(textOf(objectOf(response)["participantId"]));
        return;
      case "postV2Parties":
        this.#noteAllocation(call, textOf(objectOf(objectOf(response)["partyDetails"])["party"]));
        return;
      case "postV2PartiesExternalAllocate":
        this.#noteHosts(call);
        this.#noteAllocation(call, textOf(objectOf(response)["partyId"]));
        return;
      case "postV2PartiesExternalGenerate-topology":
        if (status === 200) this.#noteGenerated(call);
        return;
      default:
    }
  }

  get participantId(): string {
    return this.#participantId || this.#firstHost;
  }

  noteParticipant(id: string): void {
    if (id !== "" && this.#participantId === "") this.#participantId = id;
  }

  /** Notes a party to which a request gave rights. It has to exist unless a listing lacks it, or its id has no namespace. */
  mention(id: string): void {
    if (isIdentifier("partyId", id) && this.#parties.size < partiesMax && !this.#parties.has(id))
      this.#parties.set(id, { existed: undefined, isLocal: true, identityProviderId: "" });
  }

  get providers(): ReadonlySet<string> {
    return new Set([...this.#parties.values()].map((party) => party.identityProviderId).filter((id) => id !== ""));
  }

  rows(): readonly JsonObject[] {
    const there = [...this.#parties].filter(([, { existed }]) => existed ?? !this.#isListed);
    return there
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([id, { isLocal, identityProviderId, metadata = {} }]) =>
        withoutUndefined({
          id,
          identityProviderId: identityProviderId === "" ? undefined : identityProviderId,
          annotations:
            Object.keys(objectOf(metadata["annotations"])).length === 0 ? undefined : metadata["annotations"],
          resourceVersion: metadata["resourceVersion"],
          hostedBy: isLocal ? undefined : [otherParticipant],
        }),
      );
  }

  #show(shown: JsonObject): void {
    const id = textOf(shown["party"]);
    const known = this.#parties.get(id);
    if (id === "" || known?.existed !== undefined || this.#parties.size >= partiesMax) return;
    const identityProviderId = textOf(shown["identityProviderId"]);
    const metadata = objectOf(shown["localMetadata"]);
    this.#parties.set(id, { existed: true, isLocal: shown["isLocal"] !== false, identityProviderId, metadata });
  }

  /** An allocated party did not exist before; a party whose allocation failed because it exists did. */
  #noteAllocation(call: Call, allocated: string): void {
    const { status } = call;
    if (status === 200 && allocated !== "") {
      const known = this.#parties.get(allocated);
      if (known?.existed === undefined)
        this.#parties.set(allocated, { existed: false, isLocal: true, identityProviderId: "" });
      return;
    }
    const cause = causeOf(call);
    if (!/already (?:exists|allocated)/i.test(cause)) return;
    const named = /[^\s"'`]+::[0-9a-zA-Z]+/.exec(cause)?.[0] ?? "";
    const known = this.#parties.get(named);
    if (named !== "" && known?.existed === undefined)
      this.#parties.set(named, { existed: true, isLocal: true, identityProviderId: "" });
  }

  /** The only host of an allocated party is this participant. */
  #noteHosts({ body, status }: Call): void {
    if (status !== 200 || this.#participantId !== "") return;
    const transactions = objectsOf(objectOf(body)["onboardingTransactions"]);
    const [first = "", ...others] = hostsIn(transactions.map(({ transaction }) => textOf(transaction)));
    if (others.length === 0) this.noteParticipant(first);
    else this.#firstHost ||= first;
  }

  /** The host of a generated topology that the request does not name is this participant. */
  #noteGenerated({ body, response }: Call): void {
    const { otherConfirmingParticipantUids, observingParticipantUids } = objectOf(body);
    const named = [...textsOf(otherConfirmingParticipantUids), ...textsOf(observingParticipantUids)];
    const own = hostsIn(textsOf(objectOf(response)["topologyTransactions"])).filter((id) => !named.includes(id));
    if (own.length === 1) this.noteParticipant(own[0] ?? "");
  }
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
