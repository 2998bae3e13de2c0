import { headerValues } from "../../foundation/http/header.ts";
import { jsonValueResponse } from "../../foundation/http/json-value-response.ts";
import type { Request } from "../../foundation/http/request.ts";
import { type Response, textResponse, withHeaders } from "../../foundation/http/response.ts";
import { withReason } from "../../foundation/http/with-reason.ts";
import { isWebSocket } from "../../foundation/spec/published-operations.ts";
import { listed } from "../../foundation/text/listed.ts";
import type { Release } from "../../simulator/operations/operation.ts";

const plainText = "text/plain; charset=UTF-8";

/** Paths of registry, validator and scan. */
const isOfSplice = /^\/+(?:registry|api\/(?:validator|scan))(?=\/|$)/;

/** The 404 of an unknown path. Evidence: Canton 3.5 JSON API and Splice registry (source). */
export function unknownPath(request: Request, path: string, release: Release): Response {
  if (isOfSplice.test(path)) return textResponse(404, plainText, "The requested resource could not be found.");
  const host = headerValues(request.headers, "host")[0] ?? "localhost";
  const error = { errors: [`HttpMethod(${request.method}), uri: http://${host}${request.target}`], status: 404 };
  const body = release.hasLedgerApiErrorOfUnknownPath ? { ...error, ledgerApiError: null } : error;
  return jsonValueResponse(404, body);
}

/** The 404 of an operation that the configuration of a node does not expose. */
export function notExposed(request: Request, path: string, release: Release): Response {
  const reason = `${request.method} ${path} is not exposed: set trafficEnforcement in the ledger fixture`;
  return withReason(unknownPath(request, path, release), reason);
}

/** The 405 of a known path with a method that it does not support. */
export function wrongMethod(path: string, allowed: readonly string[]): Response {
  if (!isOfSplice.test(path)) return textResponse(405, plainText, "Method Not Allowed");
  const response = textResponse(405, plainText, `HTTP method not allowed, supported methods: ${allowed.join(", ")}`);
  return withHeaders(response, [["Allow", allowed.join(", ")]]);
}

/** Whether a node asks for an upgrade: a GET at the path of a WebSocket without one. */
export function isUpgradeMissing({ method, headers }: Request, path: string, profile: string): boolean {
  return method === "GET" && isWebSocket(path, profile) && headerValues(headers, "sec-websocket-key").length === 0;
}

/** The 400 of a GET at the path of a WebSocket. Evidence: inferred from Canton 3.5 (Pekko HTTP). */
export function upgradeExpected(): Response {
  return textResponse(400, plainText, "Expected WebSocket Upgrade request");
}

/** The 415 of a registry, which accepts JSON only. */
export function unsupportedMediaType(request: Request): Response {
  const given = headerValues(request.headers, "content-type")[0] ?? "";
  return textResponse(
    415,
    plainText,
    `The request's Content-Type [${given}] is not supported. Expected:\napplication/json`,
  );
}

/** The 406 of a node, sent before it reads the request. Evidence: inferred from Canton 3.5 (tapir defaults). */
export function notAcceptable({ headers }: Request): Response {
  const accepted = headerValues(headers, "accept").join(", ");
  return withReason(textResponse(406, undefined, ""), `the header Accept (${accepted}) excludes application/json`);
}

/** The 501 for a request that the scenario does not plan, sent with `onUnplannedRequest: error`. */
export function unplanned(request: Request, expected: readonly string[]): Response {
  const reason = `the scenario does not plan ${request.method} ${request.target}. Planned operations: ${listed(expected)}.`;
  return withReason(textResponse(501, plainText, `Understudy: ${reason}`), reason);
}
