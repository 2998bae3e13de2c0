import { headerValues } from "../../foundation/http/header.ts";
import type { Request } from "../../foundation/http/request.ts";
import { type Response, textResponse, withHeaders } from "../../foundation/http/response.ts";
import { formatJson } from "../../foundation/json/json.ts";
import type { Release } from "../../simulator/operations/operation.ts";

const plainText = "text/plain; charset=UTF-8";

/** An unknown path (facts, ledger-api 3.6 and registry 3.1). */
export function unknownPath(request: Request, path: string, release: Release): Response {
  if (/^\/+registry/.test(path)) return textResponse(404, plainText, "The requested resource could not be found.");
  const host = headerValues(request.headers, "host")[0] ?? "localhost";
  const error = { errors: [`HttpMethod(${request.method}), uri: http://${host}${request.target}`], status: 404 };
  const body = release.hasLedgerApiErrorOfUnknownPath ? { ...error, ledgerApiError: null } : error;
  return textResponse(404, "application/json", formatJson(body));
}

/** A known path with a method that it does not have. */
export function wrongMethod(path: string, allowed: readonly string[]): Response {
  if (!path.startsWith("/registry")) return textResponse(405, plainText, "Method Not Allowed");
  const response = textResponse(405, plainText, `HTTP method not allowed, supported methods: ${allowed.join(", ")}`);
  return withHeaders(response, [["Allow", allowed.join(", ")]]);
}

/** A registry takes JSON only. */
export function unsupportedMediaType(request: Request): Response {
  const given = headerValues(request.headers, "content-type")[0] ?? "";
  return textResponse(
    415,
    plainText,
    `The request's Content-Type [${given}] is not supported. Expected:\napplication/json`,
  );
}

/** A node sends nothing else than JSON and text, and looks before it reads the request (facts, ledger-api 3.6). */
export function notAcceptable(): Response {
  return textResponse(406, undefined, "");
}

/** A call that the scenario does not expect; `onUnplannedRequest: error` makes it loud. */
export function unplanned(request: Request, expected: readonly string[]): Response {
  return textResponse(
    501,
    plainText,
    `Understudy: the scenario does not plan ${request.method} ${request.target}. It plans ${expected.join(", ")}.`,
  );
}
