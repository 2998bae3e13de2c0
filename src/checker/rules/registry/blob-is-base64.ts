import { textAt } from "../members.ts";
import type { ExchangeRule, Finding } from "../rule.ts";
import { lookup, lookupAnswer, lookupRequest } from "../sample-bodies.ts";
import { isAnsweredLookup, lookupOperations } from "./_lookup.ts";

export const blobIsBase64: ExchangeRule = {
  type: "exchange",
  id: "blob-is-base64",
  section: "2.1",
  severity: "error",
  summary: "A created-event blob is what the ledger's JSON API gives: base64 of something.",
  operations: lookupOperations,
  appliesTo: isAnsweredLookup,
  check: ({ disclosed }) =>
    disclosed.flatMap(({ contract, pointer, blob: { isBase64 } }): readonly Finding[] => {
      const blob = textAt(contract, "createdEventBlob");
      if (blob === undefined || isBase64) return [];
      return [
        {
          expected: "standard base64, not empty",
          actual: JSON.stringify(blob.slice(0, 80)),
          pointer: `${pointer}/createdEventBlob`,
        },
      ];
    }),
  examples: {
    kept: [{ ...lookup, name: "base64", requestBody: lookupRequest, body: lookupAnswer() }],
    broken: [
      { ...lookup, name: "nothing", requestBody: lookupRequest, body: lookupAnswer({ createdEventBlob: "" }) },
      { ...lookup, name: "hex in capitals", requestBody: lookupRequest, body: lookupAnswer({ createdEventBlob: "?" }) },
    ],
  },
};
