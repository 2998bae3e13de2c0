import { jsonValueResponse } from "../../foundation/http/json-value-response.ts";
import { type Response, textResponse } from "../../foundation/http/response.ts";
import { withReason } from "../../foundation/http/with-reason.ts";
import type { SpecOperation } from "../../foundation/spec/operation.ts";

/** The ledger's error code for a status, if one fits to every operation. */
const codesByStatus: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  413: "JSON_API_MAXIMUM_LIST_ELEMENTS_NUMBER_REACHED",
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

/**
 * The response of an operation with a planned error status: a ledger error, or an ErrorResponse of the registry. Without a
 * code for the status in these tables, the response of the ledger has no body.
 */
export function plannedStatus(
  { api, path }: Pick<SpecOperation, "api" | "path">,
  status: number,
  renderError: (code: string) => Response,
): Response {
  const reason = `Planned response of the scenario: ${status}`;
  if (api === "registry") return withReason(jsonValueResponse(status, { error: reason }), reason);
  const code = ledgerCode(path, status);
  if (code !== undefined) return renderError(code);
  return withReason(textResponse(status, "text/plain; charset=UTF-8", ""), reason);
}

function ledgerCode(path: string, status: number): string | undefined {
  if (status !== 404 && status !== 409) return codesByStatus[status];
  const [, notFound, conflict] = codesByPath.find(([beginning]) => path.startsWith(beginning)) ?? [];
  return status === 404 ? notFound : conflict;
}
