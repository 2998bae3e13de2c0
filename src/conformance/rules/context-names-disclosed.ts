import type { ExchangeRule, Finding } from "../rule.ts";
import { isAnsweredLookup, lookupOperations, namedContracts } from "./_lookup.ts";
import { contractId, lookup, lookupAnswer, lookupRequest, otherContractId } from "./_sample-bodies.ts";

const disclosedTwice = {
  choiceContext: { choiceContextData: {}, disclosedContracts: [{ contractId }, { contractId }] },
} as const;

export const contextNamesDisclosed: ExchangeRule = {
  type: "exchange",
  id: "context-names-disclosed",
  section: "2.1",
  severity: "warning",
  summary: "Each contract that the context names is disclosed, and each contract is disclosed once.",
  operations: lookupOperations,
  appliesTo: isAnsweredLookup,
  check({ responseJson, disclosed: contracts }) {
    const disclosed = contracts.map(({ contract }) => contract["contractId"]);
    const undisclosed = namedContracts(responseJson)
      .filter((named) => !disclosed.includes(named.contractId))
      .map(
        ({ contractId: id, pointer }): Finding => ({
          expected: "a disclosed contract",
          actual: id,
          pointer,
          keyword: "disclosed",
        }),
      );
    const repeated = disclosed.flatMap((id, index): readonly Finding[] =>
      disclosed.indexOf(id) === index
        ? []
        : [
            {
              expected: "another contract",
              actual: String(id),
              pointer: `/choiceContext/disclosedContracts/${index}/contractId`,
              keyword: "uniqueItems",
            },
          ],
    );
    return [...undisclosed, ...repeated];
  },
  examples: {
    kept: [{ ...lookup, name: "the only contract", requestBody: lookupRequest, body: lookupAnswer() }],
    broken: [
      {
        ...lookup,
        name: "a contract that is not disclosed",
        requestBody: lookupRequest,
        body: lookupAnswer({ contractId: otherContractId }),
      },
      {
        ...lookup,
        name: "a contract that is disclosed twice",
        requestBody: lookupRequest,
        body: lookupAnswer({}, disclosedTwice),
      },
    ],
  },
};
