import type { Response } from "../../src/foundation/http/response.ts";
import { isJsonObject, type Json, type JsonObject, jsonOf } from "../../src/foundation/json/json.ts";
import {
  changing,
  changingBody,
  changingStatus,
  isOf,
  json,
  listIn,
  type Mutant,
  objectIn,
  requestBody,
  withBody,
  withJson,
} from "./_mutant.ts";

// Faults about the existence of users and packages, the rights of users, and their versions.

const versions: readonly Mutant[] = [
  {
    id: "patch-stale-version-accepted",
    profile: "canton-3.5",
    wrap: (inner) => (request) => {
      const body = requestBody(request);
      const user = objectIn(body["user"]);
      if (!isOf("patch", request) || !isJsonObject(user["metadata"])) return inner(request);
      const metadata = { ...user["metadata"], resourceVersion: "" };
      return inner(withBody(request, { ...body, user: { ...user, metadata } }));
    },
  },
  changingBody("patch-keeps-the-version", "patch", 200, (body) => ({ user: withVersion(body["user"]) }), "canton-3.5"),
  changing("patch-mask-repeated-accepted", "patch", (response, request) => {
    const paths = listIn(objectIn(requestBody(request)["updateMask"])["paths"]);
    const isRepeated = new Set(paths).size < paths.length;
    return response.status === 400 && isRepeated
      ? json(200, { user: requestBody(request)["user"] ?? null })
      : undefined;
  }),
];

const users: readonly Mutant[] = [
  inSession(
    changingStatus("grant-to-a-deleted-user-accepted", "grant", 404, (_response, request) =>
      json(200, { newlyGrantedRights: requestBody(request)["rights"] ?? [] }),
    ),
  ),
  inSession(
    changingStatus("patch-of-a-deleted-user-accepted", "patch", 404, (_response, request) =>
      json(200, { user: requestBody(request)["user"] ?? null }),
    ),
  ),
  inSession(listedRights("rights-not-listed", () => [])),
  inSession(listedRights("rights-revoked-and-listed", (_, before) => before)),
  inSession(
    listedRights("rights-of-another-user-listed", (rights) => [
      ...rights,
      { kind: { ParticipantAdmin: { value: {} } } },
    ]),
  ),
];

const packages: readonly Mutant[] = [
  inSession(
    changingBody(
      "status-always-registered",
      "status",
      200,
      () => ({ packageStatus: "PACKAGE_STATUS_REGISTERED" }),
      "canton-3.5",
    ),
  ),
  inSession(
    changingBody(
      "status-always-unspecified",
      "status",
      200,
      () => ({ packageStatus: "PACKAGE_STATUS_UNSPECIFIED" }),
      "canton-3.5",
    ),
  ),
  changing(
    "idps-missing-operation",
    "idps",
    () => json(404, { errors: ["HttpMethod(GET), uri: http://node/v2/idps"], status: 404, ledgerApiError: null }),
    "canton-3.5",
  ),
];

const reassignments: readonly Mutant[] = [
  afterLookups("lookup-409-for-ever", (_response, { conflict }) => conflict),
  afterLookups("lookup-omits-reassigned-contract", (response, { success }) => {
    if (response.status !== 409 || success === undefined) return undefined;
    const body = objectIn(jsonOf(success.body.text()));
    const context = objectIn(body["choiceContext"]);
    const disclosedContracts = listIn(context["disclosedContracts"]).filter(
      (contract) => objectIn(contract)["contractId"] !== body["factoryId"],
    );
    return withJson(success, { ...body, choiceContext: { ...context, disclosedContracts } });
  }),
];

function withVersion(user: Json | undefined): JsonObject {
  return { ...objectIn(user), metadata: { ...objectIn(objectIn(user)["metadata"]), resourceVersion: "0" } };
}

function inSession(mutant: Mutant): Mutant {
  return { ...mutant, isSeenIn: "session" };
}

/** A fault of the lists of a user's rights; `before` is the last list that was not empty. */
function listedRights(
  id: string,
  change: (rights: readonly Json[], before: readonly Json[]) => readonly Json[],
): Mutant {
  return {
    id,
    profile: "canton-3.5",
    wrap: (inner) => {
      let before: readonly Json[] = [];
      return async (request) => {
        const response = await inner(request);
        const isListing = request.method === "GET" && /^\/v2\/users\/[^/]+\/rights$/.test(request.target);
        if (response.type === "broken" || response.status !== 200 || !isListing) return response;
        const rights = listIn(objectIn(jsonOf(response.body.text()))["rights"]);
        if (rights.length > 0) before = rights;
        return withJson(response, { rights: [...change(rights, before)] });
      };
    },
  };
}

interface Earlier {
  readonly success?: Response;
  readonly conflict?: Response;
}

/** A fault of the lookup that depends on its first success and its first conflict. */
function afterLookups(id: string, change: (response: Response, earlier: Earlier) => Response | undefined): Mutant {
  return {
    id,
    profile: "spec",
    wrap: (inner) => {
      let earlier: Earlier = {};
      return async (request) => {
        const response = await inner(request);
        if (response.type === "broken" || !isOf("lookup", request)) return response;
        const changed = change(response, earlier);
        if (response.status === 200) earlier = { success: response, ...earlier };
        if (response.status === 409) earlier = { conflict: response, ...earlier };
        return changed ?? response;
      };
    },
  };
}

export const usersAndPackages: readonly Mutant[] = [...versions, ...users, ...packages, ...reassignments];
