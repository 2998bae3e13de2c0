// Bodies for the examples of rules. Each is complete and valid by the spec.
import { encodeCreatedEventBlob } from "../../foundation/protobuf/created-event-blob.ts";
import type { RuleExample } from "./rule.ts";

export const ledgerError = '{"code":"USER_NOT_FOUND","cause":"unknown user","context":{},"errorCategory":11}';
/** The refusal of a request that a ledger cannot decode. */
export const badRequest = { status: 400, contentType: "text/plain", body: "Invalid value for: body" } as const;
export const usersPage = '{"users":[],"nextPageToken":""}';

/** A page of users with these ids. */
export function pageOfUsers(ids: readonly string[], nextPageToken: string): string {
  return JSON.stringify({ users: ids.map((id) => ({ id })), nextPageToken });
}

export const contractId: string = `00${"ab".repeat(32)}`;
export const otherContractId: string = `00${"cd".repeat(32)}`;
const templateId = `${"1f".repeat(32)}:Splice.Rules:Factory`;

/** A created-event blob, of the sample contract by default. */
export function sampleBlob(id: string = contractId): string {
  return encodeCreatedEventBlob({
    contractId: id,
    packageName: "splice-rules",
    templateId,
    createdAtMicros: 1_767_225_600_000_000n,
    signatories: ["DSO::1220ab"],
    createArgument: new Uint8Array(),
  });
}

export const disclosedContract: Readonly<Record<string, string>> & { readonly synchronizerId: string } = {
  templateId,
  contractId,
  createdEventBlob: sampleBlob(),
  synchronizerId: "global-domain::1220ab",
};

/**
 * A lookup response. `contract` overrides members of its one disclosed contract, `response` members of the response.
 */
export function lookupResponse(contract: object = {}, response: object = {}): string {
  return JSON.stringify({
    factoryId: contractId,
    transferKind: "offer",
    choiceContext: {
      choiceContextData: { values: { rules: { tag: "AV_ContractId", value: contractId } } },
      disclosedContracts: [{ ...disclosedContract, ...contract }],
    },
    ...response,
  });
}

export const lookupRequest = { choiceArguments: {}, excludeDebugFields: true };

/** The request to look up a transfer between two parties. */
export function transferRequest(
  sender: string,
  receiver: string,
  inputHoldingCids: readonly string[] = [],
): {
  readonly choiceArguments: {
    readonly transfer: {
      readonly sender: { readonly owner: string; readonly id: string };
      readonly receiver: { readonly owner: string; readonly id: string };
      readonly amount: string;
      readonly inputHoldingCids: readonly string[];
    };
  };
} {
  const transfer = {
    sender: { owner: sender, id: "" },
    receiver: { owner: receiver, id: "" },
    amount: "1.0",
    inputHoldingCids,
  };
  return { choiceArguments: { transfer } };
}

export const lookup: Omit<RuleExample, "name"> = {
  operationId: "getTransferFactory",
  target: "/registry/transfer-instruction/v2/transfer-factory",
  requestBody: lookupRequest,
  status: 200,
  body: lookupResponse(),
};

/** The data of a choice context to accept. */
export const acceptContext = { values: { "expire-lock": { tag: "AV_Bool", value: true } } } as const;

/** A lookup of the context of an acceptance. `contract` overrides members of its one disclosed contract. */
export function acceptLookup(contract: object = {}, response: object = {}): Omit<RuleExample, "name"> {
  return {
    ...lookup,
    operationId: "getTransferInstructionAcceptContext",
    target: `/registry/transfer-instruction/v2/${otherContractId}/choice-contexts/accept`,
    requestBody: {},
    body: JSON.stringify({
      choiceContextData: acceptContext,
      disclosedContracts: [{ ...disclosedContract, ...contract }],
      ...response,
    }),
  };
}
