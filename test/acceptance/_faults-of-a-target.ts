import { Body } from "../../src/foundation/http/body.ts";
import type { Handler } from "../../src/foundation/http/handler.ts";
import type { Request } from "../../src/foundation/http/request.ts";
import { type Response, textResponse } from "../../src/foundation/http/response.ts";
import type { Fault } from "./_explored.ts";

// Targets with one fault each; everything else is the behaviour of the stub behind it.

type Value = ReturnType<typeof JSON.parse>;

interface Call {
  readonly request: Request;
  readonly response: Response;
  readonly requested: Value;
  readonly json: Value;
  /** Sends another request to the stub behind the fault. */
  again(method: string, target: string, body?: object): Promise<Value>;
}

/** A fault in the responses to requests with this method and path. */
function wrong(method: string, path: RegExp, change: (call: Call) => Response | Promise<Response>): Fault {
  return (inner) => async (request) => {
    const response = await inner(request);
    if (response.type === "broken" || request.method !== method || !path.test(request.target)) return response;
    return change({
      request,
      response,
      requested: parsed(request.body),
      json: parsed(response.body),
      again: senderTo(inner),
    });
  };
}

/** A fault that changes the body of requests with this method and path. */
function misread(method: string, path: RegExp, change: (requested: Value) => Value): Fault {
  return (inner) => (request) => {
    const requested = parsed(request.body);
    if (request.method !== method || !path.test(request.target) || requested === undefined) return inner(request);
    return inner({ ...request, body: new Body(JSON.stringify(change(requested))) });
  };
}

function parsed(body: Body): Value {
  try {
    return JSON.parse(body.text());
  } catch {
    return undefined;
  }
}

function senderTo(inner: Handler): Call["again"] {
  return async (method, target, body) => {
    const headers = [["Authorization", "Bearer participant_admin"] as const];
    const text = body === undefined ? "" : JSON.stringify(body);
    const received = await inner({ method, target, headers, body: new Body(text) });
    return received.type === "response" ? parsed(received.body) : undefined;
  };
}

function json(status: number, value: Value): Response {
  return textResponse(status, "application/json", JSON.stringify(value));
}

/** A fault with its own memory of earlier responses. */
function remembering(make: () => Fault): Fault {
  return (inner) => make()(inner);
}

const users = /^\/v2\/users(?:\?|$)/;
const user = /^\/v2\/users\/[^/]+$/;
const rights = /^\/v2\/users\/[^/]+\/rights$/;
const lookup = /\/transfer-factory$/;
const execution = /\/executeAndWait$/;

const repeatedUser = remembering(() => {
  let last: Value;
  return wrong("GET", users, ({ request, response, json: page }) => {
    if (response.status !== 200) return response;
    const repeated = last !== undefined && request.target.includes("pageToken=C") ? [last, ...page.users] : page.users;
    last = page.users.at(-1);
    return json(200, { ...page, users: repeated });
  });
});

/** A fault that always returns the first value of a member. */
function stuck(member: string): Fault {
  return remembering(() => {
    let first: Value;
    return wrong("POST", execution, ({ response, json: done }) => {
      if (response.status !== 200) return response;
      first ??= done[member];
      return json(200, { ...done, [member]: first });
    });
  });
}

function disclosing(change: (contract: Value, index: number, all: readonly Value[]) => Value): Fault {
  return wrong("POST", lookup, ({ response, json: found }) => {
    if (response.status !== 200) return response;
    const disclosedContracts = found.choiceContext.disclosedContracts.map(change);
    return json(200, { ...found, choiceContext: { ...found.choiceContext, disclosedContracts } });
  });
}

export const faults: Readonly<Record<string, Fault>> = {
  "a right that is held is granted again": wrong("POST", rights, ({ response, requested, json: granted }) =>
    response.status === 200 ? json(200, { ...granted, newlyGrantedRights: requested.rights ?? [] }) : response,
  ),
  "a page repeats the last user of the page before": repeatedUser,
  "an update changes the primary party whatever the mask says": misread("PATCH", user, (requested) =>
    requested.user?.primaryParty === undefined || requested.updateMask?.paths?.includes("primary_party")
      ? requested
      : {
          ...requested,
          updateMask: { ...requested.updateMask, paths: [...(requested.updateMask?.paths ?? []), "primary_party"] },
        },
  ),
  "a grant raises the resource version": wrong("POST", rights, async ({ response, requested, again }) => {
    if (response.status === 200)
      await again("PATCH", `/v2/users/${encodeURIComponent(requested.userId)}`, {
        user: { id: requested.userId },
        updateMask: { paths: ["id"], unknownFields: { fields: {} } },
      });
    return response;
  }),
  "a dry run is applied": wrong("POST", /\/package-vetting/, async ({ request, response, requested, again }) => {
    if (response.status === 200 && requested?.dryRun === true)
      await again("POST", request.target, { ...requested, dryRun: false });
    return response;
  }),
  "an unknown package is not found": wrong("GET", /\/status$/, ({ response, json: found }) =>
    found?.packageStatus === "PACKAGE_STATUS_UNSPECIFIED"
      ? json(404, { code: "PACKAGE_NOT_FOUND", cause: "gone", context: {}, errorCategory: 11 })
      : response,
  ),
  "a lookup during a reassignment succeeds": wrong("POST", lookup, ({ response }) =>
    response.status === 409 ? json(200, { factoryId: "00", transferKind: "offer", choiceContext: {} }) : response,
  ),
  "a direct transfer is called an offer": wrong("POST", lookup, ({ response, json: found }) =>
    found?.transferKind === "direct" ? json(200, { ...found, transferKind: "offer" }) : response,
  ),
  "an omitted member is null": disclosing((contract) =>
    contract.debugPayload === undefined ? { ...contract, debugPayload: null } : contract,
  ),
  "identity providers are text": wrong("GET", /\/v2\/idps$/, ({ response }) =>
    response.status === 200 ? textResponse(200, "text/plain", response.body.text()) : response,
  ),
  "an unknown user exists": wrong("GET", user, ({ response }) =>
    response.status === 404 ? json(200, { user: { id: "unknown" } }) : response,
  ),
  "the completion offset stays the same": stuck("completionOffset"),
  "an update id is repeated": stuck("updateId"),
  "a user is created active whatever the request says": misread("POST", users, (requested) => ({
    ...requested,
    user: { ...requested.user, isDeactivated: false },
  })),
  "a deleted user stays": (inner) => async (request) => {
    if (request.method !== "DELETE" || !user.test(request.target)) return inner(request);
    const found = await inner({ ...request, method: "GET" });
    return found.type === "response" && found.status === 200 ? json(200, {}) : inner(request);
  },
  "users are in descending order": wrong("GET", users, ({ response, json: page }) =>
    response.status === 200 ? json(200, { ...page, users: page.users.toReversed() }) : response,
  ),
  "a missing token is forbidden": wrong("GET", /^\/v2\//, ({ response, json: error }) =>
    response.status === 401 ? json(403, error) : response,
  ),
  "a command is executed twice": wrong("POST", execution, ({ response }) =>
    response.status === 409 ? json(200, { updateId: `1220${"9".repeat(64)}`, completionOffset: 999 }) : response,
  ),
  "all contracts are disclosed with the same blob": disclosing((contract, _index, all) => ({
    ...contract,
    createdEventBlob: all[0].createdEventBlob,
  })),
  "a reassigned contract is still disclosed where it was": disclosing((contract) => ({
    ...contract,
    synchronizerId: "global-domain::1220fa79dd1ee8fe25d601870c1b05bb634a8086134bfbe57f870549e2ddaca444e2",
  })),
  "a revoked right stays": wrong("PATCH", rights, async ({ request, response, json: revoked, requested, again }) => {
    if (response.status === 200)
      await again("POST", request.target, { userId: requested.userId, rights: revoked.newlyRevokedRights });
    return response;
  }),
  "an annotation that is deleted stays": misread("PATCH", user, (requested) => {
    const given = Object.entries(requested.user?.metadata?.annotations ?? {}).filter(([, value]) => value !== "");
    if (requested.user?.metadata?.annotations === undefined) return requested;
    const metadata = { ...requested.user.metadata, annotations: Object.fromEntries(given) };
    return { ...requested, user: { ...requested.user, metadata } };
  }),
};
