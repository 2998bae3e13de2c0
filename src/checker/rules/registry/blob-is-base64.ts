import { textAt } from "../members.ts";
import type { ExchangeRule, Finding } from "../rule.ts";
import { acceptLookup, lookup, lookupResponse } from "../sample-bodies.ts";
import { ofLookups } from "./_of-lookups.ts";

/** A blob is forwarded unchanged as the ledger's JSON API gives it, which is base64 in every release. */
export const blobIsBase64: ExchangeRule = {
  ...ofLookups,
  id: "blob-is-base64",
  severity: "error",
  summary: "A created-event blob is non-empty standard base64.",
  check: ({ disclosed }) =>
    disclosed.flatMap(({ contract, pointer, blob: { isBase64 } }): readonly Finding[] => {
      const blob = textAt(contract, "createdEventBlob");
      if (blob === undefined || isBase64) return [];
      const expected = "standard base64, not empty";
      const actual = JSON.stringify(blob.slice(0, 80));
      return [{ expected, actual, pointer: `${pointer}/createdEventBlob` }];
    }),
  examples: {
    kept: [{ ...lookup, name: "base64" }],
    broken: [
      { ...acceptLookup({ createdEventBlob: "" }), name: "an empty blob, to accept" },
      { ...lookup, name: "an empty blob", body: lookupResponse({ createdEventBlob: "" }) },
      {
        ...lookup,
        name: "a blob with a character outside base64",
        body: lookupResponse({ createdEventBlob: "?" }),
      },
    ],
  },
};
