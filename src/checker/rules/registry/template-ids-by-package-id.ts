import { contextLookups, isSuccessfulLookup } from "../context-lookups.ts";
import { textAt } from "../members.ts";
import type { ExchangeRule, Finding } from "../rule.ts";
import { acceptLookup, lookup, lookupRequest, lookupResponse } from "../sample-bodies.ts";

/**
 * Commands may use package names; recorded registry responses have package ids (Splice 0.7, recorded responses and
 * recorded responses and transaction.proto).
 */
export const templateIdsByPackageId: ExchangeRule = {
  type: "exchange",
  id: "template-ids-by-package-id",
  section: "2.1",
  severity: "warning",
  summary: "The template id of a disclosed contract has the package id, not the package name.",
  operations: contextLookups,
  appliesTo: isSuccessfulLookup,
  check: ({ disclosed }) =>
    disclosed.flatMap(({ contract, pointer }): readonly Finding[] => {
      const templateId = textAt(contract, "templateId") ?? "";
      if (!templateId.startsWith("#")) return [];
      return [{ expected: "a package id", actual: templateId, pointer: `${pointer}/templateId` }];
    }),
  examples: {
    kept: [{ ...lookup, name: "a package id", requestBody: lookupRequest, body: lookupResponse() }],
    broken: [
      { ...acceptLookup({ templateId: "#splice-rules:Splice.Rules:Factory" }), name: "a package name, to accept" },
      {
        ...lookup,
        name: "a package name",
        requestBody: lookupRequest,
        body: lookupResponse({ templateId: "#splice-rules:Splice.Rules:Factory" }),
      },
    ],
  },
};
