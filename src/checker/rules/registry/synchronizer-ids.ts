import { isIdentifier } from "../../../foundation/spec/identifiers.ts";
import { contextLookups, isSuccessfulLookup } from "../context-lookups.ts";
import { textAt } from "../members.ts";
import type { ExchangeRule, Finding } from "../rule.ts";
import { acceptLookup, lookup, lookupRequest, lookupResponse } from "../sample-bodies.ts";

/**
 * Some vendor registries send an empty id, which the ledger treats as missing (Splice 0.7, recorded responses of other
 * registries and the wallet SDK).
 */
export const synchronizerIds: ExchangeRule = {
  type: "exchange",
  id: "synchronizer-ids",
  section: "2.1",
  severity: "error",
  summary: "A disclosed contract has a synchronizer id, which is not empty and is valid in the releases.",
  operations: contextLookups,
  appliesTo: isSuccessfulLookup,
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
          basis: synchronizerId === "" ? undefined : "release",
        },
      ];
    }),
  examples: {
    kept: [{ ...lookup, name: "a synchronizer id", requestBody: lookupRequest, body: lookupResponse() }],
    broken: [
      { ...acceptLookup({ synchronizerId: "" }), name: "an empty id, to accept" },
      { ...lookup, name: "an empty id", requestBody: lookupRequest, body: lookupResponse({ synchronizerId: "" }) },
      {
        ...lookup,
        name: "a name without a fingerprint",
        isWarning: true,
        requestBody: lookupRequest,
        body: lookupResponse({ synchronizerId: "global-domain" }),
      },
    ],
  },
};

/** Whether the template is one of the Amulet registry. */
function isOfAmulet(templateId: string): boolean {
  return /(?:^|:)Splice\./.test(templateId);
}
