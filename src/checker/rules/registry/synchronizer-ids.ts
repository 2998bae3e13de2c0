import { isIdentifier } from "../../../foundation/spec/identifiers.ts";
import { textAt } from "../members.ts";
import type { ExchangeRule, Finding } from "../rule.ts";
import { lookup, lookupRequest, lookupResponse } from "../sample-bodies.ts";
import { isSuccessfulLookup, lookupOperations } from "./_lookup.ts";

/** A vendor's registry sends an empty text, which the ledger takes for none (Splice 0.7, recorded responses of other registries and the wallet SDK). */
export const synchronizerIds: ExchangeRule = {
  type: "exchange",
  id: "synchronizer-ids",
  section: "2.1",
  severity: "warning",
  summary: "A disclosed contract names its synchronizer by an id of the ledger's form.",
  operations: lookupOperations,
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
        },
      ];
    }),
  examples: {
    kept: [{ ...lookup, name: "an id", requestBody: lookupRequest, body: lookupResponse() }],
    broken: [{ ...lookup, name: "nothing", requestBody: lookupRequest, body: lookupResponse({ synchronizerId: "" }) }],
  },
};
