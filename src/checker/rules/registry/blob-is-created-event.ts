import { contextLookups, isSuccessfulLookup } from "../context-lookups.ts";
import { textAt } from "../members.ts";
import type { ExchangeRule, Finding } from "../rule.ts";
import { acceptLookup, lookup, lookupRequest, lookupResponse } from "../sample-bodies.ts";

/** The spec calls the blob opaque; a future ledger may use another serialization. */
export const blobIsCreatedEvent: ExchangeRule = {
  type: "exchange",
  id: "blob-is-created-event",
  section: "2.1",
  severity: "warning",
  summary: "A created-event blob decodes as a created event of the known releases.",
  operations: contextLookups,
  appliesTo: isSuccessfulLookup,
  check: ({ disclosed }) =>
    disclosed.flatMap(({ contract, pointer, blob: { isBase64, event } }): readonly Finding[] => {
      if (!isBase64 || event !== undefined) return [];
      const blob = textAt(contract, "createdEventBlob") ?? "";
      return [
        { expected: "a serialized created event", actual: blob.slice(0, 80), pointer: `${pointer}/createdEventBlob` },
      ];
    }),
  examples: {
    kept: [{ ...lookup, name: "a created event", requestBody: lookupRequest, body: lookupResponse() }],
    broken: [
      { ...acceptLookup({ createdEventBlob: "aGVsbG8=" }), name: "other bytes, to accept" },
      {
        ...lookup,
        name: "other bytes",
        requestBody: lookupRequest,
        body: lookupResponse({ createdEventBlob: "aGVsbG8=" }),
      },
    ],
  },
};
