import { isSuccessfulLookup, transferFactories } from "../context-lookups.ts";
import { textAt } from "../members.ts";
import type { ExchangeRule } from "../rule.ts";
import { lookup, lookupResponse, transferRequest } from "../sample-bodies.ts";
import { accountsOf } from "./_lookup.ts";

const example = {
  ...lookup,
  requestBody: transferRequest("alice::1220ab", "bob::1220ab"),
  context: { isPreapproved: true },
} as const;

/**
 * The spec says when direct is allowed, not when it is required; known registries choose it whenever it is allowed
 * (Splice 0.7, HttpTokenStandardTransferInstructionHandler.scala).
 */
export const preapprovalMakesDirect: ExchangeRule = {
  type: "exchange",
  id: "preapproval-makes-direct",
  section: "2.1",
  severity: "warning",
  summary: "A transfer to a receiver with a pre-approval is direct.",
  operations: transferFactories,
  appliesTo(checked) {
    const accounts = accountsOf(checked.requestJson);
    const isBetweenTwo = accounts !== undefined && accounts.sender.owner !== accounts.receiver.owner;
    return isSuccessfulLookup(checked, transferFactories) && checked.context.isPreapproved === true && isBetweenTwo;
  },
  check({ responseJson }) {
    const actual = textAt(responseJson, "transferKind") ?? "";
    return actual === "offer" ? [{ expected: "direct", actual, pointer: "/transferKind" }] : [];
  },
  examples: {
    kept: [{ ...example, name: "direct", body: lookupResponse({}, { transferKind: "direct" }) }],
    broken: [{ ...example, name: "an offer in spite of the pre-approval" }],
  },
};
