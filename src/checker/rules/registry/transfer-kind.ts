import { memberAt, textAt } from "../members.ts";
import type { CheckedExchange, ExchangeRule, Finding } from "../rule.ts";
import { lookup, lookupResponse, transferRequest } from "../sample-bodies.ts";
import { accountsOf, isSuccessfulLookup, lookupOperations } from "./_lookup.ts";

const [alice, bob] = ["alice::1220ab", "bob::1220ab"];
const kind = (transferKind: string) => lookupResponse({}, { transferKind });

export const transferKind: ExchangeRule = {
  type: "exchange",
  id: "transfer-kind",
  section: "2.1",
  severity: "error",
  summary:
    "The kind is self exactly if sender and receiver are the same party, and direct only if the receiver has pre-approved.",
  operations: lookupOperations,
  appliesTo: (checked) => isSuccessfulLookup(checked) && accountsOf(checked.requestJson) !== undefined,
  check: wrongKind,
  examples: {
    kept: [
      { ...lookup, name: "an offer", requestBody: transferRequest(alice, bob), body: kind("offer") },
      { ...lookup, name: "to oneself", requestBody: transferRequest(alice, alice), body: kind("self") },
      {
        ...lookup,
        name: "a pre-approved transfer",
        requestBody: transferRequest(alice, bob),
        body: kind("direct"),
        context: { isPreapproved: true },
      },
    ],
    broken: [
      { ...lookup, name: "self between two", requestBody: transferRequest(alice, bob), body: kind("self") },
      { ...lookup, name: "an offer to oneself", requestBody: transferRequest(alice, alice), body: kind("offer") },
      {
        ...lookup,
        name: "direct without pre-approval",
        requestBody: transferRequest(alice, bob),
        body: kind("direct"),
        context: { isPreapproved: false },
      },
    ],
  },
};

function wrongKind({ requestJson, responseJson, context }: CheckedExchange): readonly Finding[] {
  const accounts = accountsOf(requestJson);
  const came = textAt(responseJson, "transferKind");
  if (accounts === undefined || came === undefined) return [];
  const { sender, receiver } = accounts;
  const isSameParty = sender.owner === receiver.owner;
  const found = (expected: string, keyword: string): readonly Finding[] => [
    { expected, actual: came, pointer: "/transferKind", keyword, value: memberAt(responseJson, "transferKind") },
  ];
  if (isSameParty && came !== "self")
    return found(
      "self, since sender and receiver are the same party",
      sender.rest === receiver.rest ? "self" : "account",
    );
  if (!isSameParty && came === "self") return found("offer or direct, since sender and receiver differ", "other");
  if (came === "direct" && context.isPreapproved === false)
    return found("offer, since the receiver has not pre-approved", "preapproval");
  return [];
}
