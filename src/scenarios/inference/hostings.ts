import type { JsonObject } from "../../foundation/json/json.ts";
import { objectOf, objectsOf, textOf, textsOf } from "../../foundation/json/members.ts";
import { decodeTopologyTransaction } from "../../foundation/protobuf/topology-transaction.ts";
import type { Call } from "./call.ts";

interface SeenHosting {
  readonly hosts: readonly string[];
  /** The allocation, if another host must have authorized the party before it: it has no signature. */
  readonly allocatedUnsigned: JsonObject | undefined;
  /** The first call that shows or uses the party. */
  used: JsonObject | undefined;
}

/** Limit of parties with several hosts in one recording. */
const hostingsMax = 10_000;

/** When the other participants authorized parties of several hosts: a client of one participant sees only the effects. */
export class SeenHostings {
  readonly #hostings = new Map<string, SeenHosting>();

  note(call: Call, nth: number): void {
    if (call.status !== 200) return;
    const when = { on: call.operation.operationId, nth };
    if (call.operation.operationId === "postV2PartiesExternalAllocate") this.#noteAllocation(call, when);
    else for (const party of partiesUsedBy(call)) this.#noteUse(party, when);
  }

  /** The authorizations of the other hosts, as entries of a plan. */
  plan(participantId: string): readonly JsonObject[] {
    return [...this.#hostings].flatMap(([party, { hosts, allocatedUnsigned, used }]) => {
      const others = hosts.filter((id) => id !== participantId);
      const by = (ids: readonly string[], when: JsonObject | undefined) =>
        when === undefined ? [] : ids.map((id) => ({ ...when, authorizeHosting: { party, by: id } }));
      const first = allocatedUnsigned === undefined ? 0 : 1;
      return [...by(others.slice(0, first), allocatedUnsigned), ...by(others.slice(first), used)];
    });
  }

  #noteAllocation({ body, response }: Call, when: JsonObject): void {
    const request = objectOf(body);
    const party = textOf(objectOf(response)["partyId"]);
    const transactions = objectsOf(request["onboardingTransactions"]);
    const hosts = hostsIn(transactions.map(({ transaction }) => textOf(transaction)));
    if (hosts.length < 2 || this.#hostings.size >= hostingsMax) return;
    const signed = [request["multiHashSignatures"], ...transactions.map(({ signatures }) => signatures)];
    const isUnsigned = signed.every((signatures) => objectsOf(signatures).length === 0);
    this.#hostings.set(party, { hosts, allocatedUnsigned: isUnsigned ? when : undefined, used: undefined });
  }

  #noteUse(party: string, when: JsonObject): void {
    const hosting = this.#hostings.get(party);
    if (hosting !== undefined) hosting.used ??= when;
  }
}

/** The hosts of the party in topology transactions. */
export function hostsIn(transactions: readonly string[]): readonly string[] {
  return transactions.flatMap((transaction) => {
    const mapping = decodeTopologyTransaction(transaction)?.mapping;
    return mapping?.type === "party-to-participant" ? mapping.hosting.participants.map(({ id }) => id) : [];
  });
}

/** Parties that the response lists, or that the request could submit for. */
function partiesUsedBy({ operation, body, response }: Call): readonly string[] {
  switch (operation.operationId) {
    case "getV2Parties":
    case "getV2PartiesParty":
      return objectsOf(objectOf(response)["partyDetails"]).map(({ party }) => textOf(party));
    case "postV2Interactive-submissionPrepare":
      return textsOf(objectOf(body)["actAs"]);
    default:
      return [];
  }
}
