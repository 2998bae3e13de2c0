import { contextLookups, isSuccessfulLookup } from "../context-lookups.ts";
import { textAt } from "../members.ts";
import type { ExchangeRule, Finding } from "../rule.ts";
import { acceptLookup, lookup, lookupRequest, lookupResponse } from "../sample-bodies.ts";

/** The spec says only string; the releases have base64. */
export const blobIsBase64: ExchangeRule = {
  type: "exchange",
  id: "blob-is-base64",
  section: "2.1",
  severity: "error",
  summary: "A created-event blob is non-empty standard base64.",
  operations: contextLookups,
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
          basis: blob === "" ? undefined : "release",
        },
      ];
    }),
  examples: {
    kept: [{ ...lookup, name: "base64", requestBody: lookupRequest, body: lookupResponse() }],
    broken: [
      { ...acceptLookup({ createdEventBlob: "" }), name: "an empty blob, to accept" },
      { ...lookup, name: "an empty blob", requestBody: lookupRequest, body: lookupResponse({ createdEventBlob: "" }) },
      {
        ...lookup,
        isWarning: true,
        name: "a blob with a character outside base64",
        requestBody: lookupRequest,
        body: lookupResponse({ createdEventBlob: "?" }),
      },
    ],
  },
};
