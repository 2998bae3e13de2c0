import { InterpretationFailure } from "./interpretation.ts";
import type { KnownContract } from "./transaction-builder.ts";

// Names of templates and interfaces, `package:Module:Name`, and the failures of wrong ones.

export function packageOf(templateId: string): string {
  return templateId.split(":")[0] ?? "";
}

/** Module and entity, without the package. */
export function entityOf(templateId: string): string {
  return templateId.slice(templateId.indexOf(":") + 1);
}

/** The failure of a name that the package does not have (Canton 3.5, JSON layer: source). */
export function unknownTemplate(templateId: string): InterpretationFailure {
  const problem = `Templates do not exist: [${templateId}].`;
  return new InterpretationFailure(
    "TEMPLATES_OR_INTERFACES_NOT_FOUND",
    problem,
    [["TEMPLATE_ID", templateId]],
    "json-layer",
  );
}

/** The failure of a contract that is not of the named template. */
export function wronglyTyped(contract: KnownContract, expected: string): InterpretationFailure {
  return new InterpretationFailure(
    "WRONGLY_TYPED_CONTRACT",
    `Interpretation error: Error: Update failed due to wrongly typed contract id ${contract.contractId}
Expected contract of type ${typeText(expected)} but got ${typeText(contract.templateId)}`,
    [
      ["CONTRACT_ID", contract.contractId],
      ["TEMPLATE_ID", expected],
      ["TEMPLATE_ID", contract.templateId],
    ],
  );
}

/** A template as a node names it in the text of an error. */
function typeText(templateId: string): string {
  return `${entityOf(templateId)}@${packageOf(templateId)}`;
}
