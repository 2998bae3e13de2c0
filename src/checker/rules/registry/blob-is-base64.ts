import { textAt } from "../members.ts";
import type { ExchangeRule, Finding } from "../rule.ts";
import { lookup, lookupRequest, lookupResponse } from "../sample-bodies.ts";
import { isSuccessfulLookup, lookupOperations } from "./_lookup.ts";

export const blobIsBase64: ExchangeRule = {
  type: "exchange",
  id: "blob-is-base64",
  section: "2.1",
  severity: "error",
  summary: "A created-event blob is non-empty standard base64.",
  operations: lookupOperations,
  appliesTo: isSuccessfulLookup,
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
    kept: [{ ...lookup, name: "base64", requestBody: lookupRequest, body: lookupResponse() }],
    broken: [
      { ...lookup, name: "an empty blob", requestBody: lookupRequest, body: lookupResponse({ createdEventBlob: "" }) },
      {
        ...lookup,
        name: "hex in upper case",
        requestBody: lookupRequest,
        body: lookupResponse({ createdEventBlob: "?" }),
      },
    ],
  },
};
