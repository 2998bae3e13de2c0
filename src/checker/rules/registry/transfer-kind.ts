import { isSuccessfulLookup, transferFactories } from "../context-lookups.ts";
import { memberAt, textAt } from "../members.ts";
import type { CheckedExchange, ExchangeRule, Finding } from "../rule.ts";
import { lookup, lookupResponse, transferRequest } from "../sample-bodies.ts";
import { accountsOf } from "./_lookup.ts";

const [alice, bob] = ["alice::1220ab", "bob::1220ab"];
const kind = (transferKind: string) => lookupResponse({}, { transferKind });

export const transferKind: ExchangeRule = {
  type: "exchange",
  id: "transfer-kind",
  section: "2.1",
  severity: "error",
  summary:
    "The transfer kind is self if and only if sender and receiver are the same party, and direct only if the receiver has a pre-approval.",
  operations: transferFactories,
  yieldsTo: ["body-schema"],
  appliesTo: (checked) =>
    isSuccessfulLookup(checked, transferFactories) && accountsOf(checked.requestJson) !== undefined,
  check: wrongKind,
  examples: {
    kept: [
      {
        ...lookup,
        name: "an offer between two parties",
        requestBody: transferRequest(alice, bob),
        body: kind("offer"),
      },
      {
        ...lookup,
        name: "self with the sender as receiver",
        requestBody: transferRequest(alice, alice),
        body: kind("self"),
      },
      {
        ...lookup,
        name: "direct with a pre-approval",
        requestBody: transferRequest(alice, bob),
        body: kind("direct"),
        context: { isPreapproved: true },
      },
    ],
    broken: [
      { ...lookup, name: "self between two parties", requestBody: transferRequest(alice, bob), body: kind("self") },
      {
        ...lookup,
        name: "an offer with the sender as receiver",
        requestBody: transferRequest(alice, alice),
        body: kind("offer"),
      },
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
  const actual = textAt(responseJson, "transferKind");
  if (accounts === undefined || actual === undefined) return [];
  const { sender, receiver } = accounts;
  const isSameParty = sender.owner === receiver.owner;
  const found = (expected: string, keyword: string): readonly Finding[] => [
    { expected, actual, pointer: "/transferKind", keyword, value: memberAt(responseJson, "transferKind") },
  ];
  if (isSameParty && actual !== "self")
    return found(
      "self, since sender and receiver are the same party",
      sender.rest === receiver.rest ? "self" : "account",
    );
  if (!isSameParty && actual === "self") return found("offer or direct, since sender and receiver differ", "other");
  if (actual === "direct" && context.isPreapproved === false)
    return found("offer, since the receiver has no pre-approval", "preapproval");
  return [];
}
