import { textAt } from "../members.ts";
import type { ExchangeRule, Finding } from "../rule.ts";
import { acceptLookup, lookup, lookupResponse } from "../sample-bodies.ts";
import { namedContracts } from "./_lookup.ts";
import { ofLookups } from "./_of-lookups.ts";

/** The spec calls them contract ids, which are hex in every release (Canton 3.5, identifiers). */
const hex = /^[0-9a-f]+$/;

const contextOf = (value: string) => ({
  choiceContextData: { values: { rules: { tag: "AV_ContractId", value } } },
  disclosedContracts: [],
});

export const contractIdsAreHex: ExchangeRule = {
  ...ofLookups,
  id: "contract-ids-are-hex",
  severity: "error",
  summary:
    "The ids of the factory, of disclosed contracts and of contracts in the context are contract ids: lower-case hex.",
  check(checked) {
    const { responseJson, disclosed } = checked;
    const factory = textAt(responseJson, "factoryId");
    const ids = [
      ...(factory === undefined ? [] : [{ contractId: factory, pointer: "/factoryId" }]),
      ...disclosed.flatMap(({ contract, pointer }) => {
        const contractId = textAt(contract, "contractId");
        return contractId === undefined ? [] : [{ contractId, pointer: `${pointer}/contractId` }];
      }),
      ...namedContracts(checked),
    ];
    return ids
      .filter(({ contractId }) => contractId.length % 2 !== 0 || !hex.test(contractId))
      .map(
        ({ contractId, pointer }): Finding => ({
          expected: "lower-case hex",
          actual: JSON.stringify(contractId),
          pointer,
        }),
      );
  },
  examples: {
    kept: [{ ...lookup, name: "hex" }],
    broken: [
      { ...acceptLookup({ contractId: "" }), name: "an empty id, to accept" },
      {
        ...lookup,
        name: "a name instead of an id",
        body: lookupResponse({}, { factoryId: "factory" }),
      },
      {
        ...lookup,
        name: "a contract of the context with a name instead of an id",
        body: lookupResponse({}, { choiceContext: contextOf("rules") }),
      },
      { ...lookup, name: "an empty id", body: lookupResponse({ contractId: "" }) },
    ],
  },
};
