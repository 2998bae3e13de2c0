import { textAt } from "../members.ts";
import type { ExchangeRule, Finding } from "../rule.ts";
import { acceptLookup, lookup, lookupResponse } from "../sample-bodies.ts";
import { ofLookups } from "./_of-lookups.ts";

const qualified = /^#?[^:#\s]+:[^:\s]+:[^:\s]+$/;

export const templateIds: ExchangeRule = {
  ...ofLookups,
  id: "template-ids",
  severity: "error",
  summary: "The template id of a disclosed contract is fully qualified: `package:Module:Entity`.",
  check: ({ disclosed }) =>
    disclosed.flatMap(({ contract, pointer }): readonly Finding[] => {
      const templateId = textAt(contract, "templateId");
      if (templateId === undefined || qualified.test(templateId)) return [];
      return [
        { expected: "package:Module:Entity", actual: JSON.stringify(templateId), pointer: `${pointer}/templateId` },
      ];
    }),
  examples: {
    kept: [{ ...lookup, name: "package, module and entity" }],
    broken: [
      { ...acceptLookup({ templateId: "Splice.Rules:Factory" }), name: "no package, to accept" },
      {
        ...lookup,
        name: "a template id without a package",
        body: lookupResponse({ templateId: "Splice.Rules:Factory" }),
      },
    ],
  },
};
