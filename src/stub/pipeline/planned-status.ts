import { jsonValueResponse } from "../../foundation/http/json-value-response.ts";
import type { Request } from "../../foundation/http/request.ts";
import { type Response, textResponse } from "../../foundation/http/response.ts";
import { withReason } from "../../foundation/http/with-reason.ts";
import type { SpecOperation } from "../../foundation/spec/operation.ts";
import { unsupportedMediaType, wrongMethod } from "./protocol-errors.ts";
import { renderUncodedStatus } from "./render-error.ts";

/** The ledger's error code for a status, if one fits to every operation. */
const codesByStatus: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  500: "LEDGER_API_INTERNAL_ERROR",
  503: "SERVICE_NOT_RUNNING",
  504: "REQUEST_TIME_OUT",
};

/** The codes of 404 and 409, by the beginning of the path; the last row fits to every path. */
const codesByPath: readonly (readonly [path: string, notFound: string, conflict: string])[] = [
  ["/v2/users", "USER_NOT_FOUND", "USER_ALREADY_EXISTS"],
  ["/v2/idps", "IDP_CONFIG_NOT_FOUND", "IDP_CONFIG_ALREADY_EXISTS"],
  ["/v2/package", "PACKAGE_NOT_FOUND", "PARTICIPANT_BACKPRESSURE"],
  ["/v2/updates", "UPDATE_NOT_FOUND", "PARTICIPANT_BACKPRESSURE"],
  ["/v2/interactive-submission", "CONTRACT_NOT_FOUND", "DUPLICATE_COMMAND"],
  ["/v2/parties/external", "UNKNOWN_RESOURCE", "EXTERNAL_PARTY_ALREADY_EXISTS"],
  ["", "UNKNOWN_RESOURCE", "PARTICIPANT_BACKPRESSURE"],
];

const plainText = "text/plain; charset=UTF-8";

/** The call whose response is planned, and how its API renders errors. */
interface PlannedCall {
  readonly operation: SpecOperation;
  readonly request: Request;
  /** The profile of the operation's API. */
  readonly profile: string;
  /** A ledger error by its code. */
  readonly renderError: (code: string) => Response;
}

/**
 * The response of an operation with a planned error status: the ledger error with the code for it, or an ErrorResponse of the
 * registry. In the profile of a release, statuses of the HTTP layer are plain text. A status that the ledger has no code for
 * has a ledger error without a category.
 */
export function plannedStatus(call: PlannedCall, status: number): Response {
  const { operation, profile, renderError } = call;
  const reason = `Planned response of the scenario: ${status}`;
  const ofHttpLayer = profile === "spec" ? undefined : httpLayerResponse(call, status, reason);
  if (ofHttpLayer !== undefined) return withReason(ofHttpLayer, reason);
  if (operation.api === "registry") return withReason(jsonValueResponse(status, { error: reason }), reason);
  const code = ledgerCode(operation.path, status);
  if (code !== undefined) return renderError(code);
  return withReason(renderUncodedStatus(status, reason, profile), reason);
}

function ledgerCode(path: string, status: number): string | undefined {
  if (status === 413 && path === "/v2/state/active-contracts") return "JSON_API_MAXIMUM_LIST_ELEMENTS_NUMBER_REACHED";
  if (status !== 404 && status !== 409) return codesByStatus[status];
  const [, notFound, conflict] = codesByPath.find(([beginning]) => path.startsWith(beginning)) ?? [];
  return status === 404 ? notFound : conflict;
}

/**
 * The response of the HTTP layer of a release; undefined for a status that its operations send. The texts of 413 are not
 * known. Evidence: Canton 3.5 (inferred from tapir and Pekko HTTP), Splice 0.7 (source).
 */
function httpLayerResponse({ operation, request }: PlannedCall, status: number, reason: string): Response | undefined {
  const { api, path, method, requestSchema } = operation;
  const isTooLarge = status === 413 && requestSchema !== undefined && ledgerCode(path, status) === undefined;
  if (isTooLarge) return textResponse(status, plainText, reason);
  if (status === 405) return wrongMethod(path, [method]);
  if (api === "ledger") return status === 406 ? textResponse(status, undefined, "") : undefined;
  if (status === 415) return unsupportedMediaType(request);
  if (status !== 429) return undefined;
  return textResponse(status, plainText, "Too Many Requests: Server is busy, please try again later.");
}
