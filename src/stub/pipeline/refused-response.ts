import { seededHex } from "../../foundation/crypto/seeded-hex.ts";
import { mediaType } from "../../foundation/http/header.ts";
import { jsonValueResponse } from "../../foundation/http/json-value-response.ts";
import type { Request } from "../../foundation/http/request.ts";
import { type Response, textResponse } from "../../foundation/http/response.ts";
import { withStubLimit } from "../../foundation/http/stub-limit.ts";
import { withReason } from "../../foundation/http/with-reason.ts";
import type { SpecOperation } from "../../foundation/spec/operation.ts";
import type { Spec } from "../../foundation/spec/spec.ts";
import type { Release } from "../../simulator/operations/operation.ts";
import type { Refusal } from "../../simulator/operations/refusal.ts";
import type { WorldState } from "../../simulator/world/world-state.ts";
import { type Refused, traceIdOf } from "./decode.ts";
import { unsupportedMediaType } from "./protocol-errors.ts";
import { renderLedgerError, renderUncodedStatus } from "./render-error.ts";
import type { RenderedResponse } from "./success-renderer.ts";
import { validatorRefusal } from "./validator-refusal.ts";

/** The request that is refused. */
interface RefusedCall {
  readonly shared: { readonly spec: Spec; readonly release: Release };
  readonly request: Request;
  readonly state: WorldState;
  /** Undefined if the request has none. */
  readonly operation?: SpecOperation;
}

interface UndecodedCall extends Pick<RefusedCall, "shared" | "request"> {
  readonly operation: SpecOperation;
}

/** The response with an error of the ledger or the registry. */
export function refuse(call: RefusedCall, refusal: Refusal): Response {
  return withReason(refusalResponse(call, refusal), reasonOf(refusal));
}

function reasonOf(refusal: Refusal): string {
  if (refusal.type === "registry-error") return refusal.error;
  if (refusal.type === "legacy-error") return refusal.description;
  const { code, cause, explanation } = refusal;
  return explanation === undefined ? `${code}: ${cause}` : `${code}: ${cause} ${explanation}`;
}

function refusalResponse(call: RefusedCall, refusal: Refusal): Response {
  const { request, state, operation } = call;
  const { spec, release } = call.shared;
  if (refusal.type !== "registry-error" && operation?.api === "registry")
    return validatorRefusal(refusal, request, operation);
  if (refusal.type === "registry-error") return jsonValueResponse(refusal.status, { error: refusal.error });
  if (refusal.type === "legacy-error") return renderUncodedStatus(400, refusal.description, spec.profile.ledger);
  return renderLedgerError(refusal, {
    profile: spec.profile.ledger,
    traceId: traceIdOf(request.headers) ?? seededHex(state.seed, "trace", state.counter, 32),
    participantId: state.ledger.participantId,
    isJsonLayerTraced: release.tracesJsonLayerErrors,
    hasPlainTypes: release.namesPlainResourceTypes,
  });
}

/** A decoding error is plain text, except in the registry of profile `spec`, whose 400 is an ErrorResponse. */
export function decodeRefused(
  { operation, shared: { spec } }: UndecodedCall,
  reason: string,
  explanation?: string,
): Response {
  const isErrorResponse = operation.api === "registry" && spec.profile.registry === "spec";
  const response = isErrorResponse
    ? jsonValueResponse(400, { error: reason })
    : textResponse(400, "text/plain; charset=UTF-8", reason);
  return withReason(response, explanation === undefined ? reason : `${reason}: ${explanation}`);
}

export function bodyRefused(call: UndecodedCall, { reason, beyondLimit }: Refused): RenderedResponse {
  const text = call.operation.api === "ledger" ? `Invalid value for: body (${reason})` : reason;
  const response = decodeRefused(call, text, beyondLimit === undefined ? explanationOf(call.request) : undefined);
  return beyondLimit === undefined ? response : { ...withStubLimit(response, beyondLimit), isBodyUnread: true };
}

/** What is wrong with a body besides its syntax; undefined if nothing is. */
function explanationOf({ body, headers }: Request): string | undefined {
  if (body.storedLength === 0) return "the request has no body";
  const type = mediaType(headers);
  const isForm = type === "application/x-www-form-urlencoded" || type === "multipart/form-data";
  // curl declares a form for any text.
  return isForm && !/^\s*[[{]/.test(body.text()) ? `the body is a form (${type}). Send JSON` : undefined;
}

/** The spec knows no 415 (spec §4.1). */
export function mediaTypeRefused(call: UndecodedCall): Response {
  const refused = unsupportedMediaType(call.request);
  const reason = refused.body.text();
  return call.shared.spec.profile.registry === "spec" ? decodeRefused(call, reason) : withReason(refused, reason);
}
