import { textAt } from "../members.ts";
import type { ExchangeRule, Finding } from "../rule.ts";
import { acceptLookup, lookup, lookupResponse } from "../sample-bodies.ts";
import { ofLookups } from "./_of-lookups.ts";

/**
 * Commands may use package names; recorded registry responses have package ids (Splice 0.7, recorded responses and
 * recorded responses and transaction.proto).
 */
export const templateIdsByPackageId: ExchangeRule = {
  ...ofLookups,
  id: "template-ids-by-package-id",
  severity: "warning",
  summary: "The template id of a disclosed contract has the package id, not the package name.",
  check: ({ disclosed }) =>
    disclosed.flatMap(({ contract, pointer }): readonly Finding[] => {
      const templateId = textAt(contract, "templateId") ?? "";
      if (!templateId.startsWith("#")) return [];
      return [{ expected: "a package id", actual: templateId, pointer: `${pointer}/templateId` }];
    }),
  examples: {
    kept: [{ ...lookup, name: "a package id" }],
    broken: [
      { ...acceptLookup({ templateId: "#splice-rules:Splice.Rules:Factory" }), name: "a package name, to accept" },
      { ...lookup, name: "a package name", body: lookupResponse({ templateId: "#splice-rules:Splice.Rules:Factory" }) },
    ],
  },
};
