import { factories, isSuccessfulLookup } from "../context-lookups.ts";
import { textAt } from "../members.ts";
import type { ExchangeRule } from "../rule.ts";
import { lookup, lookupResponse, otherContractId } from "../sample-bodies.ts";

export const factoryIsDisclosed: ExchangeRule = {
  type: "exchange",
  id: "factory-is-disclosed",
  section: "2.1",
  severity: "warning",
  summary: "The factory is among the disclosed contracts, unless the client's participant already sees it.",
  operations: factories,
  appliesTo: (checked) =>
    isSuccessfulLookup(checked, factories) && textAt(checked.responseJson, "factoryId") !== undefined,
  check({ responseJson, disclosed }) {
    const factoryId = textAt(responseJson, "factoryId") ?? "";
    const isDisclosed = disclosed.some(({ contract }) => contract["contractId"] === factoryId);
    return isDisclosed ? [] : [{ expected: "a disclosed contract", actual: factoryId, pointer: "/factoryId" }];
  },
  examples: {
    kept: [{ ...lookup, name: "the factory is disclosed" }],
    broken: [
      { ...lookup, name: "the factory is not disclosed", body: lookupResponse({}, { factoryId: otherContractId }) },
    ],
  },
};
