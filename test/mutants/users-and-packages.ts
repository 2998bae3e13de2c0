import type { Response } from "../../src/foundation/http/response.ts";
import { isJsonObject, type Json, type JsonObject, jsonIn } from "../../src/foundation/json/json.ts";
import {
  changing,
  changingBody,
  isOf,
  json,
  listIn,
  type Mutant,
  objectIn,
  requestBody,
  withBody,
  withJson,
} from "./_mutant.ts";

// Faults about which users and packages there are, who holds which right, and what version a user has.

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
  changing("patch-mask-repeated-accepted", "patch", (answer, request) => {
    const paths = listIn(objectIn(requestBody(request)["updateMask"])["paths"]);
    const isRepeated = new Set(paths).size < paths.length;
    return answer.status === 400 && isRepeated ? json(200, { user: requestBody(request)["user"] ?? null }) : undefined;
  }),
];

const users: readonly Mutant[] = [
  inSession(
    changing("grant-to-a-deleted-user-accepted", "grant", (answer, request) =>
      answer.status === 404 ? json(200, { newlyGrantedRights: requestBody(request)["rights"] ?? [] }) : undefined,
    ),
  ),
  inSession(
    changing("patch-of-a-deleted-user-accepted", "patch", (answer, request) =>
      answer.status === 404 ? json(200, { user: requestBody(request)["user"] ?? null }) : undefined,
    ),
  ),
  inSession(listedRights("rights-not-listed", () => [])),
  inSession(listedRights("rights-revoked-and-listed", (_, before) => before)),
  inSession(
    listedRights("rights-of-a-stranger-listed", (rights) => [...rights, { kind: { ParticipantAdmin: { value: {} } } }]),
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
    "idps-not-there",
    "idps",
    () => json(404, { errors: ["HttpMethod(GET), uri: http://node/v2/idps"], status: 404, ledgerApiError: null }),
    "canton-3.5",
  ),
];

const reassignments: readonly Mutant[] = [
  lookingBack("lookup-409-for-ever", (_answer, { conflict }) => conflict),
  lookingBack("lookup-leaves-out-what-is-in-flight", (answer, { success }) => {
    if (answer.status !== 409 || success === undefined) return undefined;
    const body = objectIn(jsonIn(success.body));
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

/** A fault of the answers that list a user's rights; `before` are those that were listed last and were some. */
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
        const answer = await inner(request);
        const isListing = request.method === "GET" && /^\/v2\/users\/[^/]+\/rights$/.test(request.target);
        if (answer.type === "broken" || answer.status !== 200 || !isListing) return answer;
        const rights = listIn(objectIn(jsonIn(answer.body))["rights"]);
        if (rights.length > 0) before = rights;
        return withJson(answer, { rights: [...change(rights, before)] });
      };
    },
  };
}

interface Earlier {
  readonly success?: Response;
  readonly conflict?: Response;
}

/** A fault of the lookup that goes by its first success and its first conflict. */
function lookingBack(id: string, change: (answer: Response, earlier: Earlier) => Response | undefined): Mutant {
  return {
    id,
    profile: "document",
    wrap: (inner) => {
      let earlier: Earlier = {};
      return async (request) => {
        const answer = await inner(request);
        if (answer.type === "broken" || !isOf("lookup", request)) return answer;
        const changed = change(answer, earlier);
        if (answer.status === 200) earlier = { success: answer, ...earlier };
        if (answer.status === 409) earlier = { conflict: answer, ...earlier };
        return changed ?? answer;
      };
    },
  };
}

export const usersAndPackages: readonly Mutant[] = [...versions, ...users, ...packages, ...reassignments];
