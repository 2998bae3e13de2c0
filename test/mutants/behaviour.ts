import { Body } from "../../src/foundation/http/body.ts";
import type { Handler } from "../../src/foundation/http/handler.ts";
import { headerValues } from "../../src/foundation/http/header.ts";
import type { Request } from "../../src/foundation/http/request.ts";
import type { Response } from "../../src/foundation/http/response.ts";
import { formatJson, isJsonObject, type Json, type JsonObject, jsonOf } from "../../src/foundation/json/json.ts";
import {
  changing,
  changingBody,
  changingStatus,
  isOf,
  isOfLedger,
  json,
  listIn,
  type Mutant,
  type Operation,
  objectIn,
  requestBody,
  withBody,
  withJson,
} from "./_mutant.ts";

// Faults that show only in the relation of a response to its request or to other responses.

const tokens: readonly Mutant[] = [
  acceptingTokens("no-token-accepted", (token) => token === undefined),
  acceptingTokens("empty-token-accepted", (token) => token !== undefined && /^bearer\s*$/i.test(token)),
  acceptingTokens("any-token-accepted", () => true),
  acceptingTokens("any-token-accepted-for-reading", () => true, "idps"),
  { ...acceptingTokens("any-token-accepted-for-some", () => true, "users"), profile: "canton-3.5" },
  acceptingTokens("any-token-accepted-for-status", () => true, "status"),
  changingStatus("no-token-500", "idps", 401, (response) => json(500, { ...errorOf(response), grpcCodeValue: 13 })),
];

const requests: readonly Mutant[] = [
  accepting("grant-malformed-accepted", "grant", ({ text, body }) => text !== "" && body === undefined, {
    newlyGrantedRights: [],
  }),
  accepting("grant-without-user-accepted", "grant", ({ body }) => isJsonObject(body) && body["userId"] === undefined, {
    newlyGrantedRights: [],
  }),
  changing("grant-for-two-users-accepted", "grant", (response, request) => {
    const { userId } = requestBody(request);
    const isOther = typeof userId === "string" && !request.target.includes(encodeURIComponent(userId));
    return response.status === 400 && isOther ? json(200, { newlyGrantedRights: [] }) : undefined;
  }),
  changingStatus("grant-error-with-200", "grant", 404, (response) => ({ ...response, status: 200 })),
  accepting("patch-malformed-accepted", "patch", ({ text, body }) => text !== "" && body === undefined, {
    user: { id: "x" },
  }),
  accepting("vetting-malformed-accepted", "vetting", ({ text, body }) => text !== "" && body === undefined, {}),
  accepting("allocate-malformed-accepted", "allocate", ({ text, body }) => text !== "" && body === undefined, {
    partyId: "a::1220ab",
  }),
  accepting(
    "allocate-nothing-accepted",
    "allocate",
    ({ body }) => isJsonObject(body) && listIn(body["onboardingTransactions"]).length === 0,
    { partyId: "a::1220ab" },
  ),
  accepting("execute-malformed-accepted", "execute", ({ text, body }) => text !== "" && body === undefined, {
    updateId: "1220ab",
    completionOffset: 1,
  }),
  accepting(
    "execute-without-signatures-accepted",
    "execute",
    ({ body }) => isJsonObject(body) && body["partySignatures"] === undefined,
    { updateId: "1220ab", completionOffset: 1 },
  ),
  accepting(
    "execute-any-submission-id-accepted",
    "execute",
    ({ body }) => isJsonObject(body) && /[^\w.:#/ -]/.test(String(body["submissionId"])),
    { updateId: "1220ab", completionOffset: 1 },
  ),
  changingRequest("page-size-text-accepted", "users", (request) => ({
    ...request,
    target: request.target.replace(/pageSize=[^&\d-][^&]*/, "pageSize=2"),
  })),
  changingRequest("page-size-negative-accepted", "users", (request) => ({
    ...request,
    target: request.target.replace(/pageSize=-\d+/, "pageSize=2"),
  })),
];

const paging: readonly Mutant[] = [
  changingStatus("users-list-twice", "users", 200, (response) => ({
    ...response,
    body: new Body(response.body.text().replace("{", '{"users":[],')),
  })),
  changingRequest("page-size-ignored", "users", (request) => ({
    ...request,
    target: request.target.replace(/pageSize=[1-9]\d*/, "pageSize=100"),
  })),
  changingBody("page-one-too-many", "users", 200, (body, { target }) => {
    const users = listIn(body["users"]);
    const size = Number(/pageSize=(\d+)/.exec(target)?.[1] ?? 0);
    return size > 0 && users.length === size ? { ...body, users: [...users, { id: "zz-one-more" }] } : undefined;
  }),
  changingBody("page-token-repeated", "users", 200, (body, { target }) => {
    const token = /pageToken=([^&]+)/.exec(target)?.[1];
    return token === undefined || body["nextPageToken"] === ""
      ? undefined
      : { ...body, nextPageToken: decodeURIComponent(token) };
  }),
  changingRequest("page-token-ignored", "users", (request) => ({
    ...request,
    target: request.target.replace(/&?pageToken=[^&]*/, ""),
  })),
  changingBody("page-last-user-omitted", "users", 200, (body) =>
    body["nextPageToken"] === "" ? undefined : { ...body, users: listIn(body["users"]).slice(0, -1) },
  ),
  changingBody("page-last-user-repeated", "users", 200, (body) => ({
    ...body,
    users: [...listIn(body["users"]), ...listIn(body["users"]).slice(-1)],
  })),
  {
    id: "page-repeats-previous-user",
    profile: "spec",
    wrap: (inner) => {
      let last: readonly Json[] = [];
      return async (request) => {
        const response = await inner(request);
        if (response.type === "broken" || !isOf("users", request) || response.status !== 200) return response;
        const body = objectIn(jsonOf(response.body.text()));
        const before = request.target.includes("pageToken=") ? last.slice(-1) : [];
        last = listIn(body["users"]);
        return withJson(response, { ...body, users: [...before, ...last] });
      };
    },
  },
  changingBody("page-token-after-the-end", "users", 200, (body) =>
    listIn(body["users"]).length > 0 && body["nextPageToken"] === "" ? { ...body, nextPageToken: "CgF-" } : undefined,
  ),
  changingBody(
    "page-token-after-nothing",
    "users",
    200,
    (body) => (listIn(body["users"]).length === 0 ? { ...body, nextPageToken: "CgF-" } : undefined),
    "canton-3.5",
  ),
  changingBody("page-user-hidden-on-small-pages", "users", 200, (body, { target }) => ({
    ...body,
    users: listIn(body["users"]).filter((user) => !target.includes("pageSize=") || objectIn(user)["id"] !== "alice"),
  })),
];

const grants: readonly Mutant[] = [
  changingBody("grant-lists-nothing", "grant", 200, () => ({ newlyGrantedRights: [] })),
  changingBody("grant-as-new-every-time", "grant", 200, (_, request) => ({
    newlyGrantedRights: requestBody(request)["rights"] ?? [],
  })),
  changingBody("grant-more-than-requested", "grant", 200, (body) => ({
    newlyGrantedRights: [...listIn(body["newlyGrantedRights"]), { kind: { ParticipantAdmin: { value: {} } } }],
  })),
  changingBody("grant-each-twice", "grant", 200, (body) => ({
    newlyGrantedRights: [...listIn(body["newlyGrantedRights"]), ...listIn(body["newlyGrantedRights"])],
  })),
  {
    id: "grant-raises-the-version",
    profile: "canton-3.5",
    wrap: (inner) => {
      const granted = new Map<string, number>();
      return async (request) => {
        const response = await inner(request);
        if (response.type === "broken" || response.status !== 200) return response;
        const user = decodeURIComponent(/^\/v2\/users\/([^/]+)\/rights$/.exec(request.target)?.[1] ?? "");
        if (isOf("grant", request)) granted.set(user, (granted.get(user) ?? 0) + 1);
        const raised = (value: Json): Json => {
          const shown = objectIn(value);
          const metadata = objectIn(shown["metadata"]);
          const version = Number(metadata["resourceVersion"] ?? 0) + (granted.get(String(shown["id"])) ?? 0);
          return { ...shown, metadata: { ...metadata, resourceVersion: String(version) } };
        };
        const body = objectIn(jsonOf(response.body.text()));
        if (isOf("users", request)) return withJson(response, { ...body, users: listIn(body["users"]).map(raised) });
        return isOf("patch", request) ? withJson(response, { user: raised(body["user"] ?? null) }) : response;
      };
    },
  },
];

const updates: readonly Mutant[] = [
  changingBody("patch-returns-old-user", "patch", 200, (body) => ({
    user: { ...objectIn(body["user"]), isDeactivated: false, primaryParty: "" },
  })),
  changingBody("patch-removes-party", "patch", 200, (body, request) =>
    masked(request).includes("primary_party") ? undefined : { user: { ...objectIn(body["user"]), primaryParty: "" } },
  ),
  changingBody(
    "patch-drops-annotations",
    "patch",
    200,
    (body, request) => {
      const user = objectIn(body["user"]);
      const given = objectIn(objectIn(objectIn(requestBody(request)["user"])["metadata"])["annotations"]);
      return { user: { ...user, metadata: { ...objectIn(user["metadata"]), annotations: given } } };
    },
    "canton-3.5",
  ),
  changingBody(
    "patch-keeps-removed-annotations",
    "patch",
    200,
    (body, request) => {
      const user = objectIn(body["user"]);
      const metadata = objectIn(user["metadata"]);
      const given = objectIn(objectIn(objectIn(requestBody(request)["user"])["metadata"])["annotations"]);
      return {
        user: { ...user, metadata: { ...metadata, annotations: { ...objectIn(metadata["annotations"]), ...given } } },
      };
    },
    "canton-3.5",
  ),
  {
    id: "patch-not-kept",
    profile: "spec",
    wrap: (inner) => {
      const before = new Map<string, Json>();
      return async (request) => {
        const response = await inner(request);
        if (response.type === "broken" || response.status !== 200 || !isOf("users", request)) return response;
        const body = objectIn(jsonOf(response.body.text()));
        const users = listIn(body["users"]).map((user) => {
          const id = String(objectIn(user)["id"]);
          if (!before.has(id)) before.set(id, user);
          return before.get(id) ?? user;
        });
        return withJson(response, { ...body, users });
      };
    },
  },
  {
    id: "patch-changes-the-party-too",
    profile: "spec",
    wrap: (inner) => (request) => {
      const body = requestBody(request);
      if (!isOf("patch", request) || masked(request).length === 0 || masked(request).includes("primary_party"))
        return inner(request);
      const paths = [...masked(request), "primary_party"];
      const user = { ...objectIn(body["user"]), primaryParty: "intruder::1220ab" };
      return inner(withBody(request, { ...body, user, updateMask: { ...objectIn(body["updateMask"]), paths } }));
    },
  },
];

const vetting: readonly Mutant[] = [
  {
    id: "dry-run-applied",
    profile: "canton-3.5",
    wrap: (inner) => async (request) => {
      const body = requestBody(request);
      if (!isOf("vetting", request) || body["dryRun"] !== true) return inner(request);
      return inner(withBody(request, { ...body, dryRun: false }));
    },
  },
  {
    id: "real-run-not-applied",
    profile: "canton-3.5",
    wrap: (inner) => async (request) => {
      const body = requestBody(request);
      if (!isOf("vetting", request) || !isJsonObject(jsonOf(request.body.text()))) return inner(request);
      return inner(withBody(request, { ...body, dryRun: true }));
    },
  },
  dryRunResponse("dry-run-sees-no-error", (response) => (response.status >= 400 ? json(200, {}) : undefined)),
  dryRunResponse("dry-run-sees-another-error", (response) =>
    response.status >= 400 ? json(400, { ...errorOf(response), code: "TOPOLOGY_INVALID_MAPPING" }) : undefined,
  ),
  changedState("vetting-adds-a-package", (state) => ({
    ...state,
    packages: [...listIn(state["packages"]), { packageId: "intruder" }],
  })),
  changedState("vetting-loses-the-others", (state) => ({ ...state, packages: listIn(state["packages"]).slice(-1) })),
  changedState("vetting-changes-nothing", () => undefined),
  changedState("vetting-elsewhere", (state) => ({ ...state, synchronizerId: "elsewhere::1220ab" })),
  {
    id: "expected-serial-ignored",
    profile: "canton-3.5",
    wrap: (inner) => (request) => {
      const body = requestBody(request);
      const { expectedTopologySerial: _, ...rest } = body;
      return inner(
        isOf("vetting", request) && isJsonObject(jsonOf(request.body.text())) ? withBody(request, rest) : request,
      );
    },
  },
  changing(
    "synchronizer-not-autodetected-though-named",
    "vetting",
    (response, request) =>
      response.status === 200 && typeof requestBody(request)["synchronizerId"] === "string"
        ? json(400, {
            code: "PACKAGE_SERVICE_CANNOT_AUTODETECT_SYNCHRONIZER",
            cause: "x",
            context: {},
            errorCategory: 9,
          })
        : undefined,
    "canton-3.5",
  ),
  {
    id: "synchronizer-picked-of-several",
    profile: "canton-3.5",
    wrap: (inner) => {
      let synchronizer: Json = "";
      return (request) => {
        const body = requestBody(request);
        if (!isOf("vetting", request) || !isJsonObject(jsonOf(request.body.text()))) return inner(request);
        synchronizer = body["synchronizerId"] ?? synchronizer;
        return inner(withBody(request, synchronizer === "" ? body : { ...body, synchronizerId: synchronizer }));
      };
    },
  },
];

const ids: readonly Mutant[] = [
  changingBody("status-without-its-prefix", "status", 200, () => ({ packageStatus: "REGISTERED" })),
  {
    ...changing("allocate-gives-one-party", "allocate", () => json(200, { partyId: `one::1220${"ab".repeat(32)}` })),
    isSeenIn: "session",
  },
  {
    id: "lookup-without-token-refused-every-second-time",
    profile: "spec",
    wrap: (inner) => {
      let isRefused = true;
      return (request) => {
        if (!isOf("lookup", request)) return inner(request);
        isRefused = !isRefused;
        return isRefused ? Promise.resolve(json(401, { error: "no token" })) : inner(request);
      };
    },
  },
];

const executions: readonly Mutant[] = [
  changingStatus("executed-again", "execute", 409, (_response, request) =>
    json(200, { updateId: `1220${hexOf(request)}`, completionOffset: 1_000_000 }),
  ),
];

const transport: readonly Mutant[] = [
  broken("connection-reset", { type: "broken", kind: "reset" }),
  broken("response-cut-short", { type: "broken", kind: "truncated" }),
  broken("no-response", { type: "broken", kind: "timed-out" }),
  broken("endless-response", { type: "broken", kind: "too-large" }),
  changing("body-not-utf8", "users", (response) =>
    response.status === 200
      ? { ...response, body: new Body(response.body.bytes().map((byte) => (byte === 97 ? 0xff : byte))) }
      : undefined,
  ),
];

function errorOf(response: Response): JsonObject {
  const body = jsonOf(response.body.text());
  return isJsonObject(body) ? body : { code: "A", cause: "b", context: {}, errorCategory: 4 };
}

/** A fault that accepts some tokens as the administrator's. */
function acceptingTokens(id: string, isTaken: (value: string | undefined) => boolean, only?: Operation): Mutant {
  return {
    id,
    profile: "spec",
    wrap: (inner, administratorToken) => (request) => {
      const concerns = only === undefined ? isOfLedger(request) : isOf(only, request);
      if (!concerns || !isTaken(headerValues(request.headers, "authorization")[0])) return inner(request);
      const headers = request.headers.filter(([name]) => name.toLowerCase() !== "authorization");
      return inner({ ...request, headers: [...headers, ["Authorization", `Bearer ${administratorToken}`]] });
    },
  };
}

interface Requested {
  readonly text: string;
  readonly body: Json | undefined;
}

/** A fault that responds to invalid requests with 200 and this body. */
function accepting(
  id: string,
  operation: Operation,
  isBad: (requested: Requested) => boolean,
  body: Json,
  profile: Mutant["profile"] = "spec",
): Mutant {
  return changing(
    id,
    operation,
    (response, request) => {
      const requested = { text: request.body.text(), body: jsonOf(request.body.text()) };
      return response.status !== 401 && isBad(requested) ? json(200, body) : undefined;
    },
    profile,
  );
}

/** A fault that changes requests before they are handled. */
function changingRequest(id: string, operation: Operation, change: (request: Request) => Request): Mutant {
  return {
    id,
    profile: "spec",
    wrap: (inner) => (request) => inner(isOf(operation, request) ? change(request) : request),
  };
}

function dryRunResponse(id: string, change: (response: Response) => Response | undefined): Mutant {
  return changing(
    id,
    "vetting",
    (response, request) =>
      requestBody(request)["dryRun"] === true && response.status !== 401 ? change(response) : undefined,
    "canton-3.5",
  );
}

/** A fault of the state in the response to a successful vetting; undefined gives the state before the change. */
function changedState(id: string, change: (state: JsonObject) => JsonObject | undefined): Mutant {
  return changingBody(
    id,
    "vetting",
    200,
    (body) => ({
      ...body,
      newVettedPackages: change(objectIn(body["newVettedPackages"])) ?? body["pastVettedPackages"] ?? null,
    }),
    "canton-3.5",
  );
}

function broken(id: string, response: Awaited<ReturnType<Handler>>): Mutant {
  return {
    id,
    profile: "spec",
    wrap: (inner) => async (request) => (isOf("idps", request) ? response : inner(request)),
  };
}

function masked(request: Request): readonly string[] {
  return listIn(objectIn(requestBody(request)["updateMask"])["paths"]).map(String);
}

function hexOf(request: Request): string {
  const text = formatJson(requestBody(request));
  return Array.from(text.slice(-32), (character) => (character.charCodeAt(0) % 256).toString(16).padStart(2, "0")).join(
    "",
  );
}

export const behaviour: readonly Mutant[] = [
  ...tokens,
  ...requests,
  ...paging,
  ...grants,
  ...updates,
  ...vetting,
  ...ids,
  ...executions,
  ...transport,
];
