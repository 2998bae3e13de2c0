import type { CreatedEvent } from "../../../foundation/protobuf/created-event-blob.ts";
import { textAt } from "../members.ts";
import type { ExchangeRule, Finding } from "../rule.ts";
import { acceptLookup, lookup, lookupResponse, otherContractId, sampleBlob } from "../sample-bodies.ts";
import { ofLookups } from "./_of-lookups.ts";

/**
 * The ledger rejects a disclosed contract whose outer members differ from the blob. The spec allows debug members to
 * differ (Splice 0.7, the wallet SDK).
 */
export const blobAgrees: ExchangeRule = {
  ...ofLookups,
  id: "blob-agrees",
  severity: "error",
  summary: "The created event in a blob has the contract id and template of its disclosed contract.",
  yieldsTo: ["contract-ids-are-hex", "template-ids"],
  check: ({ disclosed }) =>
    disclosed.flatMap(({ contract, pointer, blob: { event } }) =>
      event === undefined ? [] : differences(contract, event, pointer),
    ),
  examples: {
    kept: [{ ...lookup, name: "the same contract" }],
    broken: [
      {
        ...acceptLookup({ createdEventBlob: sampleBlob(otherContractId) }),
        name: "a blob of another contract, to accept",
      },
      {
        ...lookup,
        name: "a blob of another contract",
        body: lookupResponse({ createdEventBlob: sampleBlob(otherContractId) }),
      },
      {
        ...lookup,
        name: "a blob of another template",
        body: lookupResponse({ templateId: `${"1f".repeat(32)}:Splice.Rules:Other` }),
      },
    ],
  },
};

function differences(contract: Parameters<typeof textAt>[0], event: CreatedEvent, pointer: string): readonly Finding[] {
  const [contractId, templateId] = [textAt(contract, "contractId"), textAt(contract, "templateId")];
  const findings: Finding[] = [];
  if (contractId !== undefined && contractId !== event.contractId)
    findings.push({ expected: event.contractId, actual: contractId, pointer: `${pointer}/contractId` });
  if (templateId !== undefined && !isSameTemplate(templateId, event))
    findings.push({ expected: event.templateId, actual: templateId, pointer: `${pointer}/templateId` });
  return findings;
}

/** The template id may use the package name. */
function isSameTemplate(templateId: string, event: CreatedEvent): boolean {
  if (!templateId.startsWith("#")) return templateId === event.templateId;
  const [, ...entity] = event.templateId.split(":");
  return templateId === [`#${event.packageName}`, ...entity].join(":");
}
