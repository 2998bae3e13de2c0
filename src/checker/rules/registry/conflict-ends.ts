import type { ExchangeRule } from "../rule.ts";
import { lookup } from "../sample-bodies.ts";
import { lookupOperations } from "./_lookup.ts";

const over = { ...lookup, context: { contractsInFlight: [] } } as const;

/** A warning, because a 409 may have a reason that the exchange does not show. */
export const conflictEnds: ExchangeRule = {
  type: "exchange",
  id: "conflict-ends",
  section: "7",
  severity: "warning",
  summary: "A lookup does not get 409 while no contract is being reassigned.",
  operations: lookupOperations,
  appliesTo: ({ status, context }) => status > 0 && context.contractsInFlight?.length === 0,
  check: ({ status }) =>
    status === 409 ? [{ expected: "200, since no contract is being reassigned", actual: "409", pointer: "" }] : [],
  examples: {
    kept: [{ ...over, name: "success before and after a reassignment" }],
    broken: [{ ...over, name: "409 after the reassignment", status: 409, body: '{"error":"being reassigned"}' }],
  },
};
