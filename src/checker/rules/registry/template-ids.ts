import { textAt } from "../members.ts";
import type { ExchangeRule, Finding } from "../rule.ts";
import { lookup, lookupRequest, lookupResponse } from "../sample-bodies.ts";
import { isSuccessfulLookup, lookupOperations } from "./_lookup.ts";

const qualified = /^#?[^:#\s]+:[^:\s]+:[^:\s]+$/;

export const templateIds: ExchangeRule = {
  type: "exchange",
  id: "template-ids",
  section: "2.1",
  severity: "error",
  summary: "The template of a disclosed contract is fully qualified: package, module and entity.",
  operations: lookupOperations,
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
    kept: [{ ...lookup, name: "all three", requestBody: lookupRequest, body: lookupResponse() }],
    broken: [
      {
        ...lookup,
        name: "no package",
        requestBody: lookupRequest,
        body: lookupResponse({ templateId: "Splice.Rules:Factory" }),
      },
    ],
  },
};
