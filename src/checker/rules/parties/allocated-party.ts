import {
  decodeTopologyTransaction,
  encodePartyToParticipant,
  type TopologyTransaction,
} from "../../../foundation/protobuf/topology-transaction.ts";
import { listAt, textAt } from "../members.ts";
import type { CheckedExchange, ExchangeRule } from "../rule.ts";

const party = "alice::1220ab";
const hosting = encodePartyToParticipant(
  { party, threshold: 1, participants: [{ id: "participant1::1220cd", permission: "confirmation" }] },
  { bytes: new Uint8Array(32), spec: 1, format: 3 },
);
const allocation = {
  operationId: "postV2PartiesExternalAllocate",
  target: "/v2/parties/external/allocate",
  status: 200,
  body: JSON.stringify({ partyId: party }),
} as const;
const request = { synchronizer: "main::1220ab", onboardingTransactions: [{ transaction: hosting }] };

/** Requests with undecodable transactions are skipped. The pointer of a missing-transaction finding points into the request. */
export const allocatedParty: ExchangeRule = {
  type: "exchange",
  id: "allocated-party",
  section: "4.2",
  severity: "error",
  summary: "The allocated party is the party of the request's party-to-participant transaction.",
  operations: [allocation.operationId],
  appliesTo: (checked) => checked.status === 200 && transactionsOf(checked) !== undefined,
  check(checked) {
    const parties = partiesOf(checked) ?? [];
    if (parties.length === 0)
      return [
        {
          expected: "an error, since no transaction maps the party to a participant",
          actual: "200",
          pointer: "/onboardingTransactions",
          keyword: "hosting",
        },
      ];
    const responded = textAt(checked.responseJson, "partyId");
    return responded === undefined || parties.includes(responded)
      ? []
      : [{ expected: parties.join(", "), actual: responded, pointer: "/partyId", keyword: "party" }];
  },
  examples: {
    kept: [{ ...allocation, name: "the party of the transaction", requestBody: request }],
    broken: [
      { ...allocation, name: "another party", requestBody: request, body: '{"partyId":"bob::1220ab"}' },
      {
        ...allocation,
        name: "no party-to-participant transaction",
        requestBody: { ...request, onboardingTransactions: [{ transaction: "CAEQARoKCggKBjEyMjBhYg==" }] },
      },
    ],
  },
};

/** The parties that the onboarding transactions host; undefined if one is undecodable. */
export function partiesOf(checked: CheckedExchange): readonly string[] | undefined {
  return transactionsOf(checked)?.flatMap(({ mapping }) =>
    mapping.type === "party-to-participant" ? [mapping.hosting.party] : [],
  );
}

/** All decoded onboarding transactions; undefined if one is undecodable. */
function transactionsOf({ requestJson }: CheckedExchange): readonly TopologyTransaction[] | undefined {
  const texts = listAt(requestJson, "onboardingTransactions").map((entry) => textAt(entry, "transaction"));
  const decoded = texts.map((text) => (text === undefined ? undefined : decodeTopologyTransaction(text)));
  const whole = decoded.filter((transaction) => transaction !== undefined);
  return whole.length === decoded.length && whole.length > 0 ? whole : undefined;
}
