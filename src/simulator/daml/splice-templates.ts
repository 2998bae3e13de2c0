import type { DamlValue } from "../../foundation/protobuf/daml-value.ts";
import { textAt, textsAt } from "./_fields.ts";
import type { NewContract } from "./transaction-builder.ts";

// The templates of Splice beside the token standard, with the parties of their contracts (Splice 0.7, splice-amulet, splice-wallet and splice-util-token-standard-wallet).

/** Signatories and observers as fields of the create argument; a dot separates the labels of nested records. */
interface TemplateParties {
  readonly signatories: readonly string[];
  readonly observers: readonly string[];
}

const templates: Readonly<Record<string, TemplateParties>> = {
  "Splice.AmuletRules:AmuletRules": { signatories: ["dso"], observers: [] },
  "Splice.Round:OpenMiningRound": { signatories: ["dso"], observers: [] },
  "Splice.AmuletRules:TransferPreapproval": { signatories: ["receiver", "provider", "dso"], observers: [] },
  "Splice.AmuletRules:ExternalPartySetupProposal": { signatories: ["validator", "dso"], observers: ["user"] },
  "Splice.Amulet:FeaturedAppRight": { signatories: ["dso"], observers: ["provider"] },
  "Splice.Amulet:ValidatorRight": { signatories: ["user", "validator"], observers: [] },
  "Splice.Amulet:ValidatorRewardCoupon": { signatories: ["dso"], observers: ["user"] },
  "Splice.DecentralizedSynchronizer:MemberTraffic": { signatories: ["dso"], observers: [] },
  "Splice.Wallet.TransferPreapproval:TransferPreapprovalProposal": {
    signatories: ["receiver"],
    observers: ["provider"],
  },
  "Splice.Util.Token.Wallet.MergeDelegation:MergeDelegationProposal": {
    signatories: ["delegation.owner"],
    observers: ["delegation.operator"],
  },
  "Splice.Util.Token.Wallet.MergeDelegation:MergeDelegation": { signatories: ["owner", "operator"], observers: [] },
  "Splice.Util.Token.Wallet.MergeDelegation:BatchMergeUtility": { signatories: ["operator"], observers: [] },
};

export function isOfTemplate({ templateId }: Pick<NewContract, "templateId">, template: string): boolean {
  return templateId.endsWith(`:${template}`);
}

/** The parties of a contract of one of the templates; undefined for another template. */
export function partiesOf({
  templateId,
  argument,
}: Pick<NewContract, "templateId" | "argument">): TemplateParties | undefined {
  const found = Object.entries(templates).find(([template]) => templateId.endsWith(`:${template}`))?.[1];
  if (found === undefined) return undefined;
  return { signatories: partiesAt(argument, found.signatories), observers: partiesAt(argument, found.observers) };
}

/** The parties in these fields; a field holds one party or a list. */
export function partiesAt(value: DamlValue, fields: readonly string[]): readonly string[] {
  const found = fields.flatMap((field) => {
    const labels = field.split(".");
    return [textAt(value, ...labels), ...textsAt(value, ...labels)];
  });
  return [...new Set(found.filter((party) => party !== ""))];
}

/** A contract of one of the templates, in a package that is given by its id and name. */
export function spliceContract(
  template: string,
  argument: DamlValue,
  { packageId, packageName }: { readonly packageId: string; readonly packageName: string },
): NewContract {
  const contract = { templateId: `${packageId}:${template}`, packageName, argument };
  return { ...contract, ...(partiesOf(contract) ?? { signatories: [], observers: [] }) };
}
