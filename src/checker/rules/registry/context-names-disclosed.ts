import { indexesOfRepeats } from "../_repeats.ts";
import { textAt } from "../members.ts";
import type { ExchangeRule } from "../rule.ts";
import { acceptLookup, contractId, lookup, lookupResponse, otherContractId } from "../sample-bodies.ts";
import { namedContracts } from "./_lookup.ts";
import { ofLookups } from "./_of-lookups.ts";

const disclosedTwice = {
  choiceContext: { choiceContextData: {}, disclosedContracts: [{ contractId }, { contractId }] },
} as const;

export const contextNamesDisclosed: ExchangeRule = {
  ...ofLookups,
  id: "context-names-disclosed",
  severity: "error",
  summary: "Each contract in the context data is disclosed, and each contract is disclosed once.",
  check(checked) {
    const { disclosed: contracts } = checked;
    const disclosed = contracts.map(({ contract }) => textAt(contract, "contractId"));
    const known = new Set(disclosed);
    const named = namedContracts(checked);
    const keyword = named.some(({ contractId }) => known.has(contractId)) ? "disclosed" : "none-disclosed";
    const undisclosed = named
      .filter(({ contractId }) => !known.has(contractId))
      .map(({ contractId, pointer }) => ({ expected: "a disclosed contract", actual: contractId, pointer, keyword }));
    const repeated = indexesOfRepeats(disclosed).map((place) => ({
      expected: "an undisclosed contract",
      actual: disclosed[place] ?? "",
      pointer: `${contracts[place]?.pointer}/contractId`,
      keyword: "uniqueItems",
      basis: "advice" as const,
    }));
    return [...undisclosed, ...repeated];
  },
  examples: {
    kept: [{ ...lookup, name: "one entry per contract" }],
    broken: [
      {
        ...acceptLookup(
          {},
          { choiceContextData: { values: { lock: { tag: "AV_ContractId", value: otherContractId } } } },
        ),
        name: "an undisclosed contract, to accept",
      },
      {
        ...lookup,
        name: "a context with an undisclosed contract",
        body: lookupResponse({ contractId: otherContractId }),
      },
      { ...lookup, name: "a contract disclosed twice", isWarning: true, body: lookupResponse({}, disclosedTwice) },
    ],
  },
};
