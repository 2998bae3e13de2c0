import { textAt } from "../members.ts";
import type { ExchangeRule, Finding } from "../rule.ts";
import { acceptLookup, lookup, lookupResponse } from "../sample-bodies.ts";
import { ofLookups } from "./_of-lookups.ts";

/** The spec calls the blob opaque; a future ledger may use another serialization. */
export const blobIsCreatedEvent: ExchangeRule = {
  ...ofLookups,
  id: "blob-is-created-event",
  severity: "warning",
  summary: "A created-event blob decodes as a created event of the known releases.",
  check: ({ disclosed }) =>
    disclosed.flatMap(({ contract, pointer, blob: { isBase64, event } }): readonly Finding[] => {
      if (!isBase64 || event !== undefined) return [];
      const blob = textAt(contract, "createdEventBlob") ?? "";
      return [
        { expected: "a serialized created event", actual: blob.slice(0, 80), pointer: `${pointer}/createdEventBlob` },
      ];
    }),
  examples: {
    kept: [{ ...lookup, name: "a created event" }],
    broken: [
      { ...acceptLookup({ createdEventBlob: "aGVsbG8=" }), name: "other bytes, to accept" },
      { ...lookup, name: "other bytes", body: lookupResponse({ createdEventBlob: "aGVsbG8=" }) },
    ],
  },
};
