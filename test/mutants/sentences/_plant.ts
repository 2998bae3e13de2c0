import { Body } from "../../../src/foundation/http/body.ts";
import type { Handler } from "../../../src/foundation/http/handler.ts";
import { headerValues } from "../../../src/foundation/http/header.ts";
import type { Request } from "../../../src/foundation/http/request.ts";
import type { Response } from "../../../src/foundation/http/response.ts";
import { isJsonObject, type Json, type JsonObject, jsonOf } from "../../../src/foundation/json/json.ts";
import { isOf, isOfLedger, json, type Operation, objectIn, requestBody, withBody, withJson } from "../_mutant.ts";

/** Adds a fault to a correct server. */
export type Plant = (inner: Handler, administratorToken: string) => Handler;

/** A row of the table: an id, the sentence of the spec that the fault breaks, and what is changed. */
export type Row = readonly [id: string, sentence: string, plant: Plant, profile?: "spec" | "canton-3.5"];

type Change = (response: Response, request: Request) => Response | undefined;

/** Changes the responses of an operation with this status; undefined leaves one as it is. */
export function response(operation: Operation, status: number | undefined, change: Change): Plant {
  return (inner) => async (request) => {
    const found = await inner(request);
    if (found.type === "broken" || !isOf(operation, request)) return found;
    if (status !== undefined && found.status !== status) return found;
    return change(found, request) ?? found;
  };
}

/** Changes the JSON of the responses of an operation with this status. */
export function body(
  operation: Operation,
  status: number,
  change: (body: JsonObject, request: Request) => Json | undefined,
): Plant {
  return response(operation, status, (found, request) => {
    const given = jsonOf(found.body.text());
    const changed = isJsonObject(given) ? change(given, request) : undefined;
    return changed === undefined ? undefined : withJson(found, changed);
  });
}

/** Sets a member of the JSON of successful responses; undefined removes it. */
export function member(operation: Operation, name: string, value: Json | undefined): Plant {
  return body(operation, 200, (given) => withMember(given, name, value));
}

export function withMember(given: JsonObject, name: string, value: Json | undefined): JsonObject {
  const { [name]: _, ...rest } = given;
  return value === undefined ? rest : { ...rest, [name]: value };
}

/** Sets the value at a JSON pointer; undefined removes the member. */
export function at(pointer: string, value: Json | undefined): (response: Response) => Response {
  return (found) =>
    withJson(found, replaced(jsonOf(found.body.text()) ?? null, pointer.split("/").slice(1), value) ?? null);
}

function replaced(inside: Json, [name, ...rest]: readonly string[], value: Json | undefined): Json | undefined {
  if (name === undefined) return value;
  if (Array.isArray(inside))
    return inside.map((entry, index) => (index === Number(name) ? (replaced(entry, rest, value) ?? null) : entry));
  if (!isJsonObject(inside)) return inside;
  const { [name]: before = null, ...others } = inside;
  const after = replaced(before, rest, value);
  return after === undefined ? others : { ...others, [name]: after };
}

/** Replaces the text of successful responses. */
export function text(operation: Operation, status: number, change: (text: string) => string): Plant {
  return response(operation, status, (found) => ({ ...found, body: new Body(change(found.body.text())) }));
}

/** Handles requests of an operation as if they had another JSON body. */
export function requested(
  operation: Operation,
  change: (body: JsonObject, request: Request) => JsonObject | undefined,
): Plant {
  return (inner) => (request) => {
    const changed =
      isOf(operation, request) && isJsonObject(jsonOf(request.body.text()))
        ? change(requestBody(request), request)
        : undefined;
    return inner(changed === undefined ? request : withBody(request, changed));
  };
}

/** A participant that is connected to one synchronizer: the first of the inner server. */
export function connectedToOne(plant: Plant): Plant {
  return (inner, administratorToken) => {
    let only: Json | undefined;
    return plant(async (request) => {
      const given = requestBody(request);
      const isUnnamed = isOf("vetting", request) && only !== undefined && given["synchronizerId"] === undefined;
      const found = await inner(isUnnamed ? withBody(request, { ...given, synchronizerId: only ?? null }) : request);
      const body = found.type === "broken" ? undefined : jsonOf(found.body.text());
      if (found.type === "broken" || !isJsonObject(body) || !Array.isArray(body["connectedSynchronizers"]))
        return found;
      const [first = null] = body["connectedSynchronizers"];
      only = objectIn(first)["synchronizerId"];
      return withJson(found, { ...body, connectedSynchronizers: [first] });
    }, administratorToken);
  };
}

/** Handles requests of an operation as if they had another target. */
export function target(operation: Operation, change: (target: string) => string): Plant {
  return (inner) => (request) =>
    inner(isOf(operation, request) ? { ...request, target: change(request.target) } : request);
}

/** Responds with success to the invalid requests of an operation that the condition selects. */
export function accepts(
  operation: Operation,
  isSelected: (body: Json | undefined, request: Request) => boolean,
): Plant {
  return response(operation, undefined, (found, request) =>
    found.status >= 400 &&
    found.status !== 401 &&
    found.status !== 403 &&
    isSelected(jsonOf(request.body.text()), request)
      ? json(200, successes[operation](request))
      : undefined,
  );
}

/** Accepts requests without a required member. */
export function acceptsWithout(operation: Operation, name: string): Plant {
  return accepts(operation, (given) => isJsonObject(given) && given[name] === undefined);
}

/** Accepts requests whose member has another JSON type. */
export function acceptsTyped(
  operation: Operation,
  name: string,
  type: "string" | "array" | "object" | "boolean",
): Plant {
  return accepts(operation, (given) => {
    const value = isJsonObject(given) ? given[name] : undefined;
    return value !== undefined && value !== null && typeOf(value) !== type;
  });
}

function typeOf(value: Json): string {
  return Array.isArray(value) ? "array" : typeof value;
}

/** Refuses requests of an operation that the condition selects, and changes nothing. Invalid tokens stay 401. */
export function refuses(operation: Operation, isSelected: (body: JsonObject, request: Request) => boolean): Plant {
  return (inner) => async (request) => {
    if (!isOf(operation, request) || !isSelected(requestBody(request), request)) return inner(request);
    const { headers } = request;
    const harmless = await inner({ method: "GET", target: "/v2/packages/00/status", headers, body: new Body("") });
    const isKnown = harmless.type === "response" && harmless.status !== 401;
    return isKnown || operation === "lookup" ? refusalOf(operation) : inner(request);
  };
}

/** Refuses requests in which an optional member is absent. */
export function requires(operation: Operation, name: string): Plant {
  return refuses(operation, (given) => given[name] === undefined);
}

/** Refuses requests in which an optional member is present. */
export function forbids(operation: Operation, name: string): Plant {
  return refuses(operation, (given) => given[name] !== undefined);
}

function refusalOf(operation: Operation): Response {
  if (operation === "lookup") return json(400, { error: "bad request" });
  return {
    type: "response",
    status: 400,
    headers: [["Content-Type", "text/plain"]],
    body: new Body("Invalid value for: body"),
  };
}

/** Responds to every request of an operation with this status and a correct error. */
export function always(operation: Operation, status: number): Plant {
  return response(operation, undefined, () =>
    json(status, operation === "lookup" ? { error: "no" } : ledgerError(status)),
  );
}

export function ledgerError(status: number): JsonObject {
  return {
    code: "SERVICE_NOT_RUNNING",
    cause: `status ${status}`,
    context: {},
    errorCategory: 1,
  };
}

/** Accepts the tokens that the condition selects as those of the administrator. */
export function acceptsToken(isSelected: (value: string | undefined) => boolean, only?: Operation): Plant {
  return (inner, administratorToken) => (request) => {
    const isMeant = only === undefined ? isOfLedger(request) : isOf(only, request);
    if (!isMeant || !isSelected(headerValues(request.headers, "authorization")[0])) return inner(request);
    const headers = request.headers.filter(([name]) => name.toLowerCase() !== "authorization");
    return inner({ ...request, headers: [...headers, ["Authorization", `Bearer ${administratorToken}`]] });
  };
}

/** Successes that fit the schema. */
const successes: Readonly<Record<Operation, (request: Request) => Json>> = {
  users: () => ({ users: [], nextPageToken: "" }),
  patch: (request) => ({ user: { ...knownUser, id: userIn(request) } }),
  grant: () => ({ newlyGrantedRights: [] }),
  status: () => ({ packageStatus: "PACKAGE_STATUS_UNSPECIFIED" }),
  idps: () => ({ identityProviderConfigs: [] }),
  vetting: () => ({ pastVettedPackages: null, newVettedPackages: null }),
  allocate: () => ({ partyId: `party::1220${"ab".repeat(32)}` }),
  execute: () => ({ updateId: `1220${"ab".repeat(32)}`, completionOffset: 900 }),
  lookup: () => ({
    factoryId: `00${"ab".repeat(68)}`,
    transferKind: "offer",
    choiceContext: { choiceContextData: { values: {} }, disclosedContracts: [] },
  }),
};

const knownUser = {
  primaryParty: "",
  isDeactivated: false,
  metadata: { resourceVersion: "0", annotations: {} },
  identityProviderId: "",
};

function userIn({ target: path }: Request): string {
  return decodeURIComponent(path.split("/")[3] ?? "");
}
