import { contextLookups, isSuccessfulLookup } from "../context-lookups.ts";
import { textAt } from "../members.ts";
import type { ExchangeRule, Finding } from "../rule.ts";
import { acceptLookup, lookup, lookupRequest, lookupResponse } from "../sample-bodies.ts";

const qualified = /^#?[^:#\s]+:[^:\s]+:[^:\s]+$/;

export const templateIds: ExchangeRule = {
  type: "exchange",
  id: "template-ids",
  section: "2.1",
  severity: "error",
  summary: "The template id of a disclosed contract is fully qualified: `package:Module:Entity`.",
  operations: contextLookups,
  appliesTo: isSuccessfulLookup,
  check: ({ disclosed }) =>
    disclosed.flatMap(({ contract, pointer }): readonly Finding[] => {
      const templateId = textAt(contract, "templateId");
      if (templateId === undefined || qualified.test(templateId)) return [];
      return [
        { expected: "package:Module:Entity", actual: JSON.stringify(templateId), pointer: `${pointer}/templateId` },
      ];
    }),
  examples: {
    kept: [{ ...lookup, name: "package, module and entity", requestBody: lookupRequest, body: lookupResponse() }],
    broken: [
      { ...acceptLookup({ templateId: "Splice.Rules:Factory" }), name: "no package, to accept" },
      {
        ...lookup,
        name: "a template id without a package",
        requestBody: lookupRequest,
        body: lookupResponse({ templateId: "Splice.Rules:Factory" }),
      },
    ],
  },
};
