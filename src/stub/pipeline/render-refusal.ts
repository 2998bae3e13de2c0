import { jsonValueResponse } from "../../foundation/http/json-value-response.ts";
import type { RefusedRequest } from "../../foundation/http/refused-request.ts";
import { splitTarget } from "../../foundation/http/request-target.ts";
import type { Response } from "../../foundation/http/response.ts";
import { withReason } from "../../foundation/http/with-reason.ts";
import type { JsonObject } from "../../foundation/json/json.ts";
import type { Spec } from "../../foundation/spec/spec.ts";

/**
 * Renders a refusal of the server, for example of a body above the limit, in profile `spec`; undefined for plain text.
 * A ledger error has any status but 400, which is plain text. An ErrorResponse of the registry has 400 for any client error
 * (spec §7).
 */
export function renderRefusal({ profile, route }: Spec, refused: RefusedRequest): Response | undefined {
  const { method, target, status, reason } = refused;
  const found = route(method, splitTarget(target).path);
  if (found.type !== "found" || profile[found.operation.api] !== "spec") return undefined;
  if (found.operation.api === "registry")
    return withReason(jsonValueResponse(status < 500 ? 400 : status, { error: reason }), reason);
  return status === 400 ? undefined : withReason(jsonValueResponse(status, errorOf(status, reason)), reason);
}

/** The nearest code of the catalogue, without its gRPC code, which belongs to another status. */
function errorOf(status: number, cause: string): JsonObject {
  const [code, errorCategory] = status === 503 ? ["PARTICIPANT_BACKPRESSURE", 2] : ["INVALID_ARGUMENT", 8];
  return { code, cause, context: {}, errorCategory };
}
