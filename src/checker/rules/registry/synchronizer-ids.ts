import { isIdentifier } from "../../../foundation/spec/identifiers.ts";
import { textAt } from "../members.ts";
import type { ExchangeRule, Finding } from "../rule.ts";
import { acceptLookup, lookup, lookupResponse } from "../sample-bodies.ts";
import { ofLookups } from "./_of-lookups.ts";

/**
 * Some vendor registries send an empty id, which the ledger treats as missing (Splice 0.7, recorded responses of other
 * registries and the wallet SDK).
 */
export const synchronizerIds: ExchangeRule = {
  ...ofLookups,
  id: "synchronizer-ids",
  severity: "error",
  summary: "A disclosed contract has a synchronizer id, which is not empty and is valid in the releases.",
  check: ({ disclosed }) =>
    disclosed.flatMap(({ contract, pointer }): readonly Finding[] => {
      const synchronizerId = textAt(contract, "synchronizerId");
      if (synchronizerId === undefined || isIdentifier("synchronizer", synchronizerId)) return [];
      return [
        {
          expected: "name::fingerprint",
          actual: JSON.stringify(synchronizerId.slice(0, 80)),
          pointer: `${pointer}/synchronizerId`,
          value: synchronizerId,
          keyword: isOfAmulet(textAt(contract, "templateId") ?? "") ? "amulet" : "vendor",
        },
      ];
    }),
  examples: {
    kept: [{ ...lookup, name: "a synchronizer id" }],
    broken: [
      { ...acceptLookup({ synchronizerId: "" }), name: "an empty id, to accept" },
      { ...lookup, name: "an empty id", body: lookupResponse({ synchronizerId: "" }) },
      {
        ...lookup,
        name: "a name without a fingerprint",
        body: lookupResponse({ synchronizerId: "global-domain" }),
      },
    ],
  },
};

/** Whether the template is one of the Amulet registry. */
function isOfAmulet(templateId: string): boolean {
  return /(?:^|:)Splice\./.test(templateId);
}
