import { Body } from "../../src/foundation/http/body.ts";
import { formatJson, type Json, type JsonObject } from "../../src/foundation/json/json.ts";
import {
  changing,
  changingBody,
  changingStatus,
  listIn,
  type Mutant,
  type Operation,
  objectIn,
  withContentType,
  without,
  withText,
} from "./_mutant.ts";

// Faults of single ledger responses: media types, statuses, and missing, ill-typed or null members.

const successes: readonly Operation[] = ["users", "patch", "grant", "status", "idps", "vetting", "allocate", "execute"];

const mediaTypes: readonly Mutant[] = [
  ...successes.map((operation) =>
    changing(`${operation}-200-as-text`, operation, (response) =>
      response.status === 200 ? withContentType(response, "text/plain") : undefined,
    ),
  ),
  changingStatus("users-200-without-media-type", "users", 200, (response) => withContentType(response, undefined)),
  changingStatus("ledger-400-as-json-text", "users", 400, (response) => withContentType(response, "application/json")),
  changingStatus("ledger-400-as-html", "grant", 400, (response) =>
    withText(response, "<p>Bad request</p>", "text/html"),
  ),
  changingStatus("ledger-400-json-as-text", "users", 400, (response) =>
    withText(response, '{"code":"A","cause":"b"}', "text/plain"),
  ),
  changingStatus("ledger-400-empty", "users", 400, (response) => withText(response, "", "text/plain")),
  changingStatus("ledger-404-as-text", "grant", 404, (response) => withContentType(response, "text/plain")),
  changingStatus("ledger-401-as-text", "idps", 401, (response) => withText(response, "Unauthorized", "text/plain")),
  changingStatus("ledger-403-from-a-gateway", "idps", 403, (response) =>
    withText(response, "<html>Forbidden</html>", "text/html"),
  ),
  changingStatus("ledger-409-as-text", "execute", 409, (response) => withContentType(response, "text/plain")),
];

const statuses: readonly Mutant[] = [
  ...(
    [
      ["users", 206],
      ["grant", 201],
      ["allocate", 202],
      ["patch", 204],
      ["idps", 203],
      ["status", 302],
      ["vetting", 201],
      ["execute", 202],
    ] as const
  ).map(([operation, status]) =>
    changing(`${operation}-200-as-${status}`, operation, (response) =>
      response.status === 200 ? { ...response, status } : undefined,
    ),
  ),
];

const bodies: readonly Mutant[] = [
  changingBody("users-not-a-list", "users", 200, (body) => ({ ...body, users: {} })),
  changingBody("users-null", "users", 200, (body) => ({ ...body, users: null })),
  changingBody("users-page-token-null", "users", 200, (body) => ({ ...body, nextPageToken: null })),
  changingBody("users-page-token-number", "users", 200, (body) => ({ ...body, nextPageToken: 7 })),
  changingBody("users-of-texts", "users", 200, (body) => ({ ...body, users: listIn(body["users"]).map(() => "user") })),
  eachUser("user-without-id", (user) => without(user, "id"), "canton-3.5"),
  eachUser("user-id-number", (user) => ({ ...user, id: 5 })),
  eachUser("user-active-as-text", (user) => ({ ...user, isDeactivated: "false" })),
  eachUser("user-party-null", (user) => ({ ...user, primaryParty: null })),
  eachUser("user-metadata-as-text", (user) => ({ ...user, metadata: "x" })),
  eachUser("user-provider-null", (user) => ({ ...user, identityProviderId: null })),
  eachUser(
    "user-version-as-number",
    (user) => ({ ...user, metadata: { ...objectIn(user["metadata"]), resourceVersion: 1 } }),
    "canton-3.5",
  ),
  changingBody("patch-without-user", "patch", 200, (body) => without(body, "user")),
  changingBody("patch-user-as-text", "patch", 200, () => ({ user: "alice" })),
  changingBody("patch-another-user", "patch", 200, (body) => ({
    user: { ...objectIn(body["user"]), id: "another-user" },
  })),
  changingBody("grant-not-a-list", "grant", 200, () => ({ newlyGrantedRights: {} })),
  changingBody("grant-of-texts", "grant", 200, () => ({ newlyGrantedRights: ["CanActAs"] })),
  changingBody("grant-null", "grant", 200, () => ({ newlyGrantedRights: null })),
  changingBody("status-missing", "status", 200, () => ({})),
  changingBody("status-number", "status", 200, () => ({ packageStatus: 1 })),
  changingBody("status-unknown", "status", 200, () => ({ packageStatus: "REGISTERED" }), "canton-3.5"),
  changingBody("idps-missing", "idps", 200, () => ({})),
  changingBody("idps-empty", "idps", 200, () => ({ identityProviderConfigs: [] })),
  changingBody("idps-of-texts", "idps", 200, () => ({ identityProviderConfigs: ["corporate"] })),
  changingBody("allocate-party-missing", "allocate", 200, () => ({})),
  changingBody("allocate-party-null", "allocate", 200, () => ({ partyId: null })),
  changingBody("allocate-another-party", "allocate", 200, () => ({ partyId: `another-party::1220${"ab".repeat(32)}` })),
  changingBody("execute-update-id-missing", "execute", 200, (body) => without(body, "updateId")),
  changingBody("execute-update-id-empty", "execute", 200, (body) => ({ ...body, updateId: "" })),
  changingBody("execute-update-id-not-a-ledger-string", "execute", 200, (body) => ({ ...body, updateId: "a\nb" })),
  changingBody("execute-update-id-reused", "execute", 200, (body) => ({ ...body, updateId: `1220${"ab".repeat(32)}` })),
  changingBody("execute-offset-missing", "execute", 200, (body) => without(body, "completionOffset")),
  changingBody("execute-offset-text", "execute", 200, (body) => ({ ...body, completionOffset: "7" })),
  changingBody("execute-offset-fraction", "execute", 200, (body) => ({ ...body, completionOffset: 7.5 })),
  changingBody("execute-offset-too-large", "execute", 200, (body) => ({ ...body, completionOffset: 2n ** 63n })),
  changingBody("execute-offset-constant", "execute", 200, (body) => ({ ...body, completionOffset: 5 })),
  changingBody("vetting-not-an-object", "vetting", 200, () => []),
  changingBody("vetting-new-missing", "vetting", 200, (body) => without(body, "newVettedPackages"), "canton-3.5"),
  eachState("vetting-serial-text", (state) => ({ ...state, topologySerial: "1" })),
  eachState("vetting-participant-missing", (state) => without(state, "participantId")),
  eachState("vetting-packages-of-texts", (state) => ({ ...state, packages: ["a"] })),
];

const errors: readonly Mutant[] = [
  ...["code", "cause", "context", "errorCategory"].map((member) =>
    eachError(`error-without-${member}`, (error) => without(error, member)),
  ),
  eachError("error-category-text", (error) => ({ ...error, errorCategory: "11" })),
  eachError("error-category-fraction", (error) => ({ ...error, errorCategory: 1.5 })),
  eachError("error-context-of-numbers", (error) => ({ ...error, context: { a: 1 } })),
  eachError("error-context-null", (error) => ({ ...error, context: null })),
  eachError("error-resources-flat", (error) => ({ ...error, resources: ["USER", "x"] })),
  eachError("error-resources-of-three", (error) => ({ ...error, resources: [["USER", "x", "y"]] })),
  eachError("error-correlation-number", (error) => ({ ...error, correlationId: 5 })),
  eachError("error-trace-null", (error) => ({ ...error, traceId: null })),
  eachError("error-retry-number", (error) => ({ ...error, retryInfo: 1 })),
  eachError("error-definite-text", (error) => ({ ...error, definiteAnswer: "false" })),
  eachError("error-code-null", (error) => ({ ...error, code: null })),
  eachError("error-as-list", (error) => [error]),
  eachError("error-of-another-grpc-code", (error) => ({ ...error, grpcCodeValue: 13 })),
  eachError("error-of-another-category", (error) => ({ ...error, errorCategory: 2 })),
  changingStatus("error-cut-short", "grant", 404, (response) => ({
    ...response,
    body: new Body(response.body.bytes().subarray(0, 20)),
  })),
];

/** A fault of every user in a list. */
function eachUser(id: string, spoil: (user: JsonObject) => JsonObject, profile: Mutant["profile"] = "spec"): Mutant {
  return changingBody(
    id,
    "users",
    200,
    (body) => ({ ...body, users: listIn(body["users"]).map((user) => spoil(objectIn(user))) }),
    profile,
  );
}

function eachState(id: string, spoil: (state: JsonObject) => Json): Mutant {
  return changingBody(
    id,
    "vetting",
    200,
    (body) => ({ ...body, newVettedPackages: spoil(objectIn(body["newVettedPackages"])) }),
    "canton-3.5",
  );
}

function eachError(id: string, spoil: (error: JsonObject) => Json): Mutant {
  return changingBody(id, "grant", 404, (error) => JSON.parse(formatJson(spoil(error))));
}

export const ledgerResponses: readonly Mutant[] = [...mediaTypes, ...statuses, ...bodies, ...errors];
