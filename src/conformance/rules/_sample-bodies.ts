// Bodies for the examples of rules; each is whole and fits the contract.
export const ledgerError = '{"code":"USER_NOT_FOUND","cause":"unknown user","context":{},"errorCategory":11}';
export const usersPage = '{"users":[],"nextPageToken":""}';
export const identityProviders =
  '{"identityProviderConfigs":[{"identityProviderId":"corporate","issuer":"https://login.example.com","jwksUrl":"https://login.example.com/jwks"}]}';

/** A lookup's answer whose one disclosed contract has these further members. */
export function lookupAnswer(debugMembers: string): string {
  const contract = `{"templateId":"a:B:C","contractId":"00","createdEventBlob":"CgMyLjE=","synchronizerId":"s::1220ab"${debugMembers}}`;
  return `{"factoryId":"00","transferKind":"offer","choiceContext":{"choiceContextData":{},"disclosedContracts":[${contract}]}}`;
}

export const lookupRequest = { choiceArguments: {}, excludeDebugFields: true };
export const lookupTarget = "/registry/transfer-instruction/v2/transfer-factory";
