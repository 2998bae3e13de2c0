import { textAt } from "../members.ts";
import type { ExchangeRule } from "../rule.ts";
import { lookup, lookupAnswer, lookupRequest, otherContractId } from "../sample-bodies.ts";
import { isAnsweredLookup, lookupOperations } from "./_lookup.ts";

export const factoryIsDisclosed: ExchangeRule = {
  type: "exchange",
  id: "factory-is-disclosed",
  section: "2.1",
  severity: "warning",
  summary: "The factory is among the disclosed contracts, unless the client's node sees it anyway.",
  operations: lookupOperations,
  appliesTo: (judged) => isAnsweredLookup(judged) && textAt(judged.responseJson, "factoryId") !== undefined,
  check({ responseJson, disclosed }) {
    const factoryId = textAt(responseJson, "factoryId") ?? "";
    const isDisclosed = disclosed.some(({ contract }) => contract["contractId"] === factoryId);
    return isDisclosed ? [] : [{ expected: "a disclosed contract", actual: factoryId, pointer: "/factoryId" }];
  },
  examples: {
    kept: [{ ...lookup, name: "disclosed", requestBody: lookupRequest, body: lookupAnswer() }],
    broken: [
      {
        ...lookup,
        name: "not disclosed",
        requestBody: lookupRequest,
        body: lookupAnswer({}, { factoryId: otherContractId }),
      },
    ],
  },
};
