import type { ExchangeRule } from "../rule.ts";
import { lookup, lookupRequest, lookupResponse } from "../sample-bodies.ts";
import { lookupOperations } from "./_lookup.ts";

const over = { ...lookup, requestBody: lookupRequest, context: { contractsInFlight: [] } } as const;

/** What else leads to 409 is not shown, so that one may have another reason. */
export const conflictEnds: ExchangeRule = {
  type: "exchange",
  id: "conflict-ends",
  section: "7",
  severity: "warning",
  summary: "A lookup is not answered 409 while no contract is being reassigned.",
  operations: lookupOperations,
  appliesTo: ({ operation, status, context }) =>
    lookupOperations.includes(operation.operationId) && status > 0 && context.contractsInFlight?.length === 0,
  check: ({ status }) =>
    status === 409
      ? [{ expected: "200, since no contract is on its way between synchronizers", actual: "409", pointer: "" }]
      : [],
  examples: {
    kept: [{ ...over, name: "before and after", body: lookupResponse() }],
    broken: [{ ...over, name: "409 that does not end", status: 409, body: '{"error":"being reassigned"}' }],
  },
};
