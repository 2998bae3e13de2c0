// Exchanges about users for the examples of rules. Each is complete and valid by the spec.
import type { JsonObject } from "../../foundation/json/json.ts";
import type { RuleExample } from "./rule.ts";
import { pageOfUsers, usersPage } from "./sample-bodies.ts";

type Example = Omit<RuleExample, "name">;

export const users: Example = { operationId: "getV2Users", target: "/v2/users", status: 200, body: usersPage };

/** Two pages of a list: the token of the first leads to the last. */
export const firstPage: Example = { ...users, body: pageOfUsers(["a"], "t") };
export const lastPage: Example = { ...users, target: "/v2/users?pageToken=t", body: pageOfUsers(["b"], "") };

/** The right to act as this party. */
export function actAs(party = "alice::1220ab"): JsonObject {
  return { kind: { CanActAs: { value: { party } } } };
}

/** A grant of one right to the user `a`, who did not hold it. */
export const grant: Example = {
  operationId: "postV2UsersUser-idRights",
  target: "/v2/users/a/rights",
  requestBody: { userId: "a", rights: [actAs()] },
  status: 200,
  body: JSON.stringify({ newlyGrantedRights: [actAs()] }),
};

/** The same grant to a user who already held the right. */
export const repeatedGrant: Example = { ...grant, body: '{"newlyGrantedRights":[]}' };

/** A revocation of the granted right. */
export const revocation: Example = {
  ...grant,
  operationId: "patchV2UsersUser-idRights",
  body: JSON.stringify({ newlyRevokedRights: [actAs()] }),
};

/** The list of the rights of the user `a`. */
export function listedRights(rights: readonly JsonObject[]): Example {
  const body = JSON.stringify({ rights });
  return { operationId: "getV2UsersUser-idRights", target: "/v2/users/a/rights", status: 200, body };
}

/** The creation of the user `a`, without rights. */
export const creation: Example = {
  operationId: "postV2Users",
  target: "/v2/users",
  requestBody: { user: { id: "a" }, rights: [] },
  status: 200,
  body: '{"user":{"id":"a"}}',
};

/** A page with the user `a`, who has these members. */
export function listedUser(members: JsonObject): Example {
  return { ...users, body: JSON.stringify({ users: [{ id: "a", ...members }], nextPageToken: "" }) };
}

/** An update of `isDeactivated` of the user `a`, with these members in request and response. */
export function updateOf(requested: JsonObject, responded: JsonObject): Example {
  return {
    operationId: "patchV2UsersUser-id",
    target: "/v2/users/a",
    requestBody: { user: { id: "a", ...requested }, updateMask: { paths: ["is_deactivated"] } },
    status: 200,
    body: JSON.stringify({ user: { id: "a", ...responded } }),
  };
}

export const update: Example = updateOf({}, {});

/** The members of a user that has this resource version. */
export function atVersion(resourceVersion: string): JsonObject {
  return { metadata: { resourceVersion, annotations: {} } };
}

export const deletion: Example = {
  operationId: "deleteV2UsersUser-id",
  target: "/v2/users/a",
  status: 200,
  body: "{}",
};

/** The allocation of a party; `more` adds members to its request. */
export function allocationExample(more: JsonObject = {}): Example {
  return {
    operationId: "postV2PartiesExternalAllocate",
    target: "/v2/parties/external/allocate",
    requestBody: { synchronizer: "main::1220ab", onboardingTransactions: [{ transaction: "" }], ...more },
    status: 200,
    body: '{"partyId":"alice::1220ab"}',
  };
}

export const providers: Example = {
  operationId: "getV2Idps",
  target: "/v2/idps",
  status: 200,
  body: '{"identityProviderConfigs":[{"identityProviderId":"corporate","issuer":"https://login.example.com","jwksUrl":"https://login.example.com/jwks"}]}',
};
