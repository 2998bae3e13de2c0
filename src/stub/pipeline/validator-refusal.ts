import { headerValues } from "../../foundation/http/header.ts";
import { jsonValueResponse } from "../../foundation/http/json-value-response.ts";
import type { Request } from "../../foundation/http/request.ts";
import { type Response, textResponse, withHeaders } from "../../foundation/http/response.ts";
import { contracts } from "../../foundation/spec/contracts.ts";
import type { SpecOperation } from "../../foundation/spec/operation.ts";
import { scanProxyPath } from "../../foundation/spec/scan-proxy.ts";
import type { Refusal } from "../../simulator/operations/refusal.ts";

const plainText = "text/plain; charset=UTF-8";

/**
 * The refusal of a validator: of tokens as Pekko HTTP words it, of the ledger behind it with the cause alone
 * (Splice 0.6, AuthExtractor.scala and HttpErrorHandler.scala).
 */
export function validatorRefusal(
  refusal: Exclude<Refusal, { readonly type: "registry-error" }>,
  { headers }: Request,
  { path }: SpecOperation,
): Response {
  if (refusal.type === "legacy-error") return jsonValueResponse(400, { error: refusal.description });
  const status = contracts.errorCodes.codes.find(({ code }) => code === refusal.code)?.http ?? 500;
  if (status === 403 || refusal.code === "INVALID_TOKEN")
    return textResponse(403, plainText, "The supplied authentication is not authorized to access this resource");
  if (status !== 401) return jsonValueResponse(status, { error: refusal.cause });
  const isMissing = headerValues(headers, "authorization").length === 0;
  const text = isMissing
    ? "The resource requires authentication, which was not supplied with the request"
    : "The supplied authentication is invalid";
  const realm = path.startsWith(scanProxyPath) ? "splice scan proxy realm" : "splice validator operator realm";
  return withHeaders(textResponse(401, plainText, text), [["WWW-Authenticate", `Bearer realm="${realm}"`]]);
}
