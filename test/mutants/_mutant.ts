import { Body } from "../../src/foundation/http/body.ts";
import type { FailedResponse } from "../../src/foundation/http/failed-response.ts";
import type { Handler } from "../../src/foundation/http/handler.ts";
import type { Request } from "../../src/foundation/http/request.ts";
import type { Response } from "../../src/foundation/http/response.ts";
import { formatJson, isJsonObject, type Json, type JsonObject, jsonOf } from "../../src/foundation/json/json.ts";

/** A target with one fault: a stub whose other behaviour is correct. */
export interface Mutant {
  readonly id: string;
  /** The profile of the stub and of its check. */
  readonly profile: "spec" | "canton-3.5";
  /** Whether the spec allows it, so that a warning is enough. */
  readonly isTolerable?: boolean;
  /** Set if probes do not find it: then the session of an application is checked instead. */
  readonly isSeenIn?: "session";
  /** Adds the fault to the handler of a fresh stub, whose administrator has this token. */
  wrap(inner: Handler, administratorToken: string): Handler;
}

const operations: Readonly<Record<Operation, readonly [method: string, path: RegExp]>> = {
  users: ["GET", /^\/v2\/users(?:\?|$)/],
  patch: ["PATCH", /^\/v2\/users\/[^/?]+$/],
  grant: ["POST", /^\/v2\/users\/[^/?]+\/rights$/],
  status: ["GET", /^\/v2\/packages\/[^/?]+\/status$/],
  idps: ["GET", /^\/v2\/idps$/],
  vetting: ["POST", /^\/v2\/package-vetting$/],
  allocate: ["POST", /^\/v2\/parties\/external\/allocate$/],
  execute: ["POST", /^\/v2\/interactive-submission\/executeAndWait$/],
  lookup: ["POST", /^\/registry\/transfer-instruction\/v2\/transfer-factory$/],
};

export type Operation = "users" | "patch" | "grant" | "status" | "idps" | "vetting" | "allocate" | "execute" | "lookup";

export function isOf(operation: Operation, { method, target }: Request): boolean {
  const [wanted, path] = operations[operation];
  return method === wanted && path.test(target);
}

const ledgerOperations = ["users", "patch", "grant", "status", "idps", "vetting", "allocate", "execute"] as const;

export function isOfLedger(request: Request): boolean {
  return ledgerOperations.some((operation) => isOf(operation, request));
}

type HandlerResponse = Response | FailedResponse;

/** A fault that changes the responses of an operation; undefined leaves a response as it is. */
export function changing(
  id: string,
  operation: Operation,
  change: (response: Response, request: Request) => HandlerResponse | undefined,
  profile: Mutant["profile"] = "spec",
): Mutant {
  return {
    id,
    profile,
    wrap: (inner) => async (request) => {
      const response = await inner(request);
      if (response.type === "broken" || !isOf(operation, request)) return response;
      const { type, status, headers, body } = response;
      return change({ type, status, headers, body }, request) ?? response;
    },
  };
}

/** A fault that changes the responses of an operation with this status. */
export function changingStatus(
  id: string,
  operation: Operation,
  status: number,
  change: (response: Response, request: Request) => HandlerResponse | undefined,
  profile?: Mutant["profile"],
): Mutant {
  const changed = (response: Response, request: Request) =>
    response.status === status ? change(response, request) : undefined;
  return changing(id, operation, changed, profile);
}

/** A fault that changes the JSON of the responses of an operation with this status; undefined leaves one as it is. */
export function changingBody(
  id: string,
  operation: Operation,
  status: number,
  change: (body: JsonObject, request: Request) => Json | undefined,
  profile?: Mutant["profile"],
): Mutant {
  const changed = (response: Response, request: Request) => {
    const body = jsonOf(response.body.text());
    const json = isJsonObject(body) ? change(body, request) : undefined;
    return json === undefined ? undefined : withJson(response, json);
  };
  return changingStatus(id, operation, status, changed, profile);
}

export function withJson(response: Response, body: Json): Response {
  return { ...response, body: new Body(formatJson(body)) };
}

export function withText(response: Response, text: string, contentType: string | undefined): Response {
  const headers = response.headers.filter(([name]) => name.toLowerCase() !== "content-type");
  const typed = contentType === undefined ? headers : [...headers, ["Content-Type", contentType] as const];
  return { ...response, headers: typed, body: new Body(text) };
}

export function withContentType(response: Response, contentType: string | undefined): Response {
  return withText(response, response.body.text(), contentType);
}

/** A JSON response that replaces that of the stub. */
export function json(status: number, body: Json): Response {
  return {
    type: "response",
    status,
    headers: [["Content-Type", "application/json"]],
    body: new Body(formatJson(body)),
  };
}

/** The request with another body. */
export function withBody(request: Request, body: Json): Request {
  return { ...request, body: new Body(formatJson(body)) };
}

export function without(body: JsonObject, member: string): JsonObject {
  const { [member]: _, ...rest } = body;
  return rest;
}

export function objectIn(body: Json | undefined): JsonObject {
  return isJsonObject(body) ? body : {};
}

export function listIn(body: Json | undefined): readonly Json[] {
  return Array.isArray(body) ? body : [];
}

export function requestBody(request: Request): JsonObject {
  return objectIn(jsonOf(request.body.text()));
}
