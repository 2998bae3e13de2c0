// Bodies for the examples of rules; each is whole and fits the contract.
import { encodeCreatedEventBlob } from "../../foundation/protobuf/created-event-blob.ts";

export const ledgerError = '{"code":"USER_NOT_FOUND","cause":"unknown user","context":{},"errorCategory":11}';
export const usersPage = '{"users":[],"nextPageToken":""}';
export const identityProviders =
  '{"identityProviderConfigs":[{"identityProviderId":"corporate","issuer":"https://login.example.com","jwksUrl":"https://login.example.com/jwks"}]}';

/** A page of users with these ids. */
export function pageOfUsers(ids: readonly string[], nextPageToken: string): string {
  return JSON.stringify({ users: ids.map((id) => ({ id })), nextPageToken });
}

export const contractId: string = `00${"ab".repeat(32)}`;
export const otherContractId: string = `00${"cd".repeat(32)}`;
const templateId = `${"1f".repeat(32)}:Splice.Rules:Factory`;

/** The blob of a contract; of the sample contract unless another id is given. */
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

/** A lookup's answer; its one disclosed contract has these members besides the usual ones, or instead of them. */
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

export const lookupTarget = "/registry/transfer-instruction/v2/transfer-factory";
export const lookupRequest = { choiceArguments: {}, excludeDebugFields: true };

/** A lookup of a transfer between two accounts. */
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

export const lookup = {
  operationId: "getTransferFactory",
  target: "/registry/transfer-instruction/v2/transfer-factory",
  status: 200,
} as const;
