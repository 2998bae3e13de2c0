import { stringify } from "yaml";
import type { ParsedExchange } from "../../checker/rules/read-exchange.ts";
import { Body } from "../../foundation/http/body.ts";
import type { FailedResponse } from "../../foundation/http/failed-response.ts";
import type { HeaderList } from "../../foundation/http/header.ts";
import type { Request } from "../../foundation/http/request.ts";
import { splitTarget } from "../../foundation/http/request-target.ts";
import { type Response, textResponse } from "../../foundation/http/response.ts";
import { withReason, withWarning } from "../../foundation/http/with-reason.ts";
import type { JsonObject } from "../../foundation/json/json.ts";
import { CountedLimits } from "../../foundation/limits/counted-limits.ts";
import { createEventReader } from "../../foundation/protobuf/body-messages.ts";
import type { Api } from "../../foundation/spec/contracts.ts";
import type { OperationId } from "../../foundation/spec/generated/names.ts";
import { anyMediaType, type SpecOperation } from "../../foundation/spec/operation.ts";
import type { FoundRoute, Route } from "../../foundation/spec/router.ts";
import {
  defaultProfileOf,
  type GivenProfileNames,
  loadSpec,
  type ProfileNames,
  registryBehaviourOf,
  releaseOf,
  type Spec,
} from "../../foundation/spec/spec.ts";
import { GenerationCache } from "../../foundation/text/generation-cache.ts";
import { InterpretationCache } from "../../simulator/daml/interpretation-cache.ts";
import { OpenPackages } from "../../simulator/daml/open-packages.ts";
import { ActiveContracts } from "../../simulator/operations/active-contracts.ts";
import { ContextCache } from "../../simulator/operations/context-cache.ts";
import type { Call, Operation, OperationResult, Release, RowCaches } from "../../simulator/operations/operation.ts";
import { nodeError, type Refusal } from "../../simulator/operations/refusal.ts";
import { RowCache } from "../../simulator/operations/row-cache.ts";
import type { World } from "../../simulator/world/world.ts";
import type { WorldState } from "../../simulator/world/world-state.ts";
import type { Unexpected } from "../journal/journal-entry.ts";
import type { VerifiedToken } from "../tokens/verify-token.ts";
import { type BearerToken, createTokenReaders, type TokenReaders } from "./bearer-token.ts";
import { type AuthenticationMode, type Claims, claimsOf } from "./claims.ts";
import { type Decoded, type LedgerDecoder, ledgerDecoderOf } from "./decode.ts";
import { decodeRegistryBody, decodeSpliceBody, isJsonSent, missingRegistryBody } from "./decode-registry-body.ts";
import { type DisabledFeatures, disabledFeaturesOf } from "./disabled-features.ts";
import { illegalHead } from "./illegal-head.ts";
import { isJsonAccepted } from "./is-json-accepted.ts";
import { missingRight } from "./missing-right.ts";
import { afterEffect, delayMsOf, isMeantFor, plannedResponse, type ResponseRenderer } from "./planned-response.ts";
import { plannedStatus } from "./planned-status.ts";
import {
  isUpgradeMissing,
  notAcceptable,
  notExposed,
  unknownPath,
  unplanned,
  upgradeExpected,
  wrongMethod,
} from "./protocol-errors.ts";
import { bodyRefused, decodeRefused, mediaTypeRefused, refuse } from "./refused-response.ts";
import { isTimeoutRefused } from "./request-timeout.ts";
import { SentRequest } from "./sent-request.ts";
import { type ServedOperation, servedOperations } from "./served-operation.ts";
import { type RenderedResponse, SuccessRenderer } from "./success-renderer.ts";
import { unserved } from "./unserved.ts";
import { UploadedDars } from "./uploaded-dars.ts";

/** Options that the stubs of many worlds share. */
interface StubOptions {
  /** The result of `stubSpec`. */
  readonly spec: Spec;
  readonly auth: AuthenticationMode;
  readonly areSignaturesVerified: boolean;
  /** Reads uploaded DARs; created if omitted. */
  readonly dars?: UploadedDars | undefined;
  /** Limits on what a body holds; defaults if omitted. */
  readonly limits?: CountedLimits | undefined;
}

/** A response with the delay before it is sent, in milliseconds of wall time. */
export interface StubResponse {
  readonly response: Response | FailedResponse;
  readonly delayMs: number;
  /** Undefined if the request matches no operation. */
  readonly operationId?: OperationId | undefined;
  readonly unexpected?: Unexpected | undefined;
  /** The route and the bodies as far as the stub parsed or created them, so that client rules need not parse them again. */
  readonly parsed?: ParsedExchange | undefined;
  /** Whether the body exceeds a limit; then nothing else reads it. */
  readonly isBodyUnread?: boolean | undefined;
}

/** Responds to one request. `verified` is the result of token verification in mode `jwt`. */
export type Stub = (request: Request, verified?: VerifiedToken) => StubResponse;

/** Cached pages of users, and the sum of their sizes, in one generation of the cache. */
const pagesMax = 16;
const pageRowsMax = 10_000;

/** Creates stubs that differ only in their worlds. A stub responds in one synchronous step, so requests never interleave. */
export function createStubs(options: StubOptions): (world: World) => Stub {
  const shared = sharedStep(options);
  return (world) => stubOver(world, shared);
}

/** What the stubs and the streams of many worlds share. */
export function sharedStep(options: StubOptions): SharedStep {
  const limits = options.limits ?? new CountedLimits();
  return {
    ...options,
    limits,
    release: releaseBehaviourOf(options.spec.profile),
    served: servedOperations(options.spec),
    tokens: createTokenReaders(releaseOf(options.spec.profile.ledger).behaviour),
    disabled: disabledFeaturesOf(options.spec.profile.ledger),
    decodeLedgerBody: ledgerDecoderOf(options.spec),
    interpretations: new InterpretationCache(),
    packages: new OpenPackages(),
    dars: options.dars ?? new UploadedDars(limits),
    readEvent: createEventReader(limits.values.protobufFieldsMax),
    successes: new SuccessRenderer(),
    rows: {
      users: new RowCache(),
      pagesOfUsers: new GenerationCache({ entriesMax: pagesMax, sizeMax: pageRowsMax }, ({ size }) => size),
      contexts: new ContextCache(),
      activeContracts: new ActiveContracts(),
    },
  };
}

export function stubOver(world: World, shared: SharedStep): Stub {
  const { spec, disabled } = shared;
  const { profile } = spec;
  return (request, verified) => {
    const illegal = illegalHead(spec, request);
    if (illegal !== undefined) return { response: illegal, delayMs: 0 };
    const { path, search } = splitTarget(request.target);
    const route = spec.route(request.method === "HEAD" ? "GET" : request.method, path);
    const { expected } = world.state.plan;
    if (expected !== undefined && !isExpected(route, expected)) return unplannedCall(request, [...expected], route);
    const off = route.type === "found" ? undefined : disabled?.ofPath(request.method, path, world.state.ledger);
    if (off !== undefined) return { response: refuse({ shared, request, state: world.state }, off), delayMs: 0 };
    if (route.type !== "found") return noOperation(shared, request, path, route);
    const { operation, pathParameters } = route;
    const served = shared.served(operation);
    if (served.performer.isExposed?.(world.state.ledger) === false)
      return { response: notExposed(request, path, shared.release), delayMs: 0, unexpected: "unsupported" };
    // The spec defines no 406, so profile `spec` ignores the Accept header.
    if (operation.api === "ledger" && profile.ledger !== "spec" && !isJsonAccepted(request.headers))
      return { response: notAcceptable(request), delayMs: 0, operationId: operation.operationId };
    const state = world.countRequest(operation.operationId);
    const { operationId } = operation;
    const sent = new SentRequest(operationId, request, search, shared);
    const step = { shared, world, verified, state, request, search, sent, operation, path: pathParameters, served };
    const byPlan = planned(step, route);
    if (byPlan !== undefined) return byPlan;
    const rendered = respond(step);
    const parsed = { route, request: sent.json, response: rendered.json };
    return { response: sentOf(rendered), delayMs: 0, operationId, parsed, isBodyUnread: rendered.isBodyUnread };
  };
}

/** The behaviour of the profile's release. `isByLetter` marks the profile `spec`. */
function releaseBehaviourOf(profile: ProfileNames): Release {
  const { version, behaviour } = releaseOf(profile.ledger);
  const isRegistryByLetter = profile.registry === "spec";
  const registry = registryBehaviourOf(profile.registry);
  return { ...behaviour, ...registry, version, isRegistryByLetter, isByLetter: profile.ledger === "spec" };
}

/** Additional GET operations, such as health checks, are always expected: clients call them beside their work. */
function isExpected(route: Route, expected: ReadonlySet<string>): boolean {
  if (route.type !== "found") return false;
  const { operation } = route;
  return expected.has(operation.operationId) || (operation.isAdditional && operation.method === "GET");
}

function unplannedCall(request: Request, expected: readonly string[], route: Route): StubResponse {
  const operationId = route.type === "found" ? route.operation.operationId : undefined;
  return { response: unplanned(request, expected), delayMs: 0, operationId, unexpected: "unplanned" };
}

/** The response of a node to a path or method that it does not know, with the reason. */
function noOperation(
  { spec, release }: SharedStep,
  request: Request,
  path: string,
  route: Exclude<Route, FoundRoute>,
): StubResponse {
  const allowed = route.type === "wrong-method" ? route.allowed : [];
  const response = isUpgradeMissing(request, path, spec.profile.ledger)
    ? upgradeExpected()
    : route.type === "unknown"
      ? unknownPath(request, path, release)
      : wrongMethod(path, allowed);
  const { why, reason } = unserved(spec, request, allowed);
  return { response: withReason(response, reason), delayMs: 0, unexpected: why };
}

/** The planned response to this call; undefined if the plan has none. */
function planned(step: Step, route: FoundRoute): StubResponse | undefined {
  const { world, state, sent, operation, request } = step;
  const { profile } = step.shared.spec;
  if (state.plan.responses.length === 0) return undefined;
  const due = world.plannedResponse((event) => isMeantFor(event, step));
  if (due === undefined) return undefined;
  let own = due.timing === "after" ? respond(step) : undefined;
  const ownResponse = (): Response => {
    own ??= respond(step);
    return sentOf(own);
  };
  const renderError = (code: string) => refuse(step, nodeError(code, `Planned response of the scenario: ${code}`));
  const renderer: ResponseRenderer = {
    own: ownResponse,
    error: renderError,
    status: (status) => plannedStatus({ operation, request, profile: profile[operation.api], renderError }, status),
  };
  const isApplied = due.response.type !== "own" && own !== undefined && own.status < 400;
  const response = plannedResponse(due, renderer, step);
  // Client rules read the body also if no operation did.
  const body = operation.requestSchema === undefined ? undefined : sent.body;
  return {
    response: isApplied ? afterEffect(response) : response,
    delayMs: delayMsOf(due.delay, state),
    operationId: operation.operationId,
    parsed: { route, request: body?.type === "decoded" ? body.value : undefined },
    isBodyUnread: own?.isBodyUnread ?? (body?.type === "refused" && body.beyondLimit !== undefined),
  };
}

/** State that all stubs of `createStubs` share. */
export interface SharedStep extends StubOptions {
  readonly release: Release;
  readonly served: (operation: SpecOperation) => ServedOperation;
  readonly tokens: TokenReaders;
  readonly disabled: DisabledFeatures | undefined;
  readonly rows: RowCaches;
  readonly interpretations: InterpretationCache;
  readonly packages: OpenPackages;
  readonly dars: UploadedDars;
  readonly readEvent: ReturnType<typeof createEventReader>;
  readonly successes: SuccessRenderer;
  readonly decodeLedgerBody: LedgerDecoder;
  readonly limits: CountedLimits;
}

interface Step {
  readonly shared: SharedStep;
  readonly world: World;
  readonly verified: VerifiedToken | undefined;
  readonly state: WorldState;
  readonly request: Request;
  readonly search: string;
  readonly sent: SentRequest;
  readonly operation: SpecOperation;
  readonly path: Readonly<Record<string, string>>;
  readonly served: ServedOperation;
}

/** The stages run in the same order in every profile. Evidence: Canton 3.5, JSON API endpoints (source). */
function respond(step: Step): RenderedResponse {
  const { shared, state, operation } = step;
  if (operation.api === "registry" && operation.requestSchema !== undefined && !isJsonSent(step.request))
    return mediaTypeRefused(step);
  if (operation.api === "ledger" && shared.release.hasRequestTimeout && isTimeoutRefused(step.request.headers))
    return decodeRefused(step, "Invalid value for: header Request-Timeout");
  const query = step.served.queryOf(step.search, step.request.target);
  if (query.type === "refused") return decodeRefused(step, query.reason, query.explanation);
  const token = tokenOf(step);
  if (operation.api === "ledger" && token.type === "malformed")
    return decodeRefused(step, "Invalid value for: header Authorization");
  const claims = claimsIn(step, token);
  if (claims.type === "refused") return refuse(step, claims.refusal);
  const disabled = shared.disabled?.ofOperation(operation, state.ledger);
  if (disabled !== undefined) return refuse(step, disabled);
  const body = decodeBody(step);
  if (body.type === "refused") return bodyRefused(step, body);
  return perform(step, { query: query.value, body: body.value, caller: claims.caller });
}

/** Below the scan proxy a valid token is enough: its user need not exist (Splice 0.6, AuthenticationOnlyAuthExtractor.scala). */
function claimsIn({ shared, operation, served, verified, state }: Step, token: BearerToken): Claims {
  const claims = claimsOf(operation.isPublic ? "none" : shared.auth, token, verified, state.ledger);
  const isTokenEnough = operation.api === "registry" && served.performer.mayCall === undefined;
  return isTokenEnough && claims.type === "refused" ? claimsOf("none", token, verified, state.ledger) : claims;
}

/** The response alone. Its members are named, since an object with the rest of another one is slow. */
function sentOf({ type, status, headers, body }: RenderedResponse): Response {
  return { type, status, headers, body };
}

/** The spec names only the header `Authorization` (spec §5); additional operations serve WebSockets, too. */
function tokenOf({ shared: { release, tokens }, operation, request: { headers } }: Step): BearerToken {
  return release.isByLetter && !operation.isAdditional ? tokens.inAuthorization(headers) : tokens.anywhere(headers);
}

function perform(step: Step, decoded: Pick<Call, "query" | "body" | "caller">): RenderedResponse {
  const { shared, world, operation, state, sent } = step;
  const disabled = shared.disabled?.ofBody(operation, decoded.body, state.ledger);
  if (disabled !== undefined) return refuse(step, disabled);
  const outcome = outcomeOf(callOf(step, decoded), step);
  const exceeded = sent.exceededMessages;
  if (exceeded !== undefined) return bodyRefused(step, exceeded);
  switch (outcome.type) {
    case "succeeded":
      world.perform(outcome.changes);
      return warned(shared.successes.render(outcome.body, step.served.shownShape), outcome.warning);
    case "text":
      return plainResponse(step, outcome.text);
    case "bytes":
      return bytesResponse(step, outcome.bytes, outcome.headers);
    case "described":
      return plainResponse(step, stringify(shared.spec.descriptions[operation.api]));
    default:
      return refuse(step, outcome);
  }
}

function warned(response: RenderedResponse, warning: string | undefined): RenderedResponse {
  return warning === undefined ? response : { ...response, ...withWarning(response, warning) };
}

/** What an operation gets of a request. */
export function callOf(
  { shared, path, sent, request }: Pick<Step, "shared" | "path" | "sent" | "request">,
  { query, body, caller }: Pick<Call, "query" | "body" | "caller">,
): Call {
  const { release, areSignaturesVerified, rows, interpretations, packages } = shared;
  const messages = () => sent.messages;
  const dar = () => shared.dars.of(request.body);
  return { path, query, body, caller, release, areSignaturesVerified, rows, interpretations, packages, messages, dar };
}

function outcomeOf(call: Call, { served: { performer }, state }: Step): OperationResult {
  return callRefusal(call, performer, state) ?? performer.perform(call, state);
}

/** The refusal before an operation runs: by its check, without a token, or for missing rights. */
export function callRefusal(call: Call, performer: Operation, state: WorldState): Refusal | undefined {
  const unfit = performer.precheck?.(call, state);
  if (unfit !== undefined) return unfit;
  if (call.caller.type === "anonymous") return nodeError("UNAUTHENTICATED", call.caller.reason);
  if (performer.mayCall?.(call, state) !== false) return undefined;
  const explanation = missingRight(call, performer, state);
  const more = explanation === undefined ? {} : { explanation };
  return nodeError(
    "PERMISSION_DENIED",
    `The rights of the user ${call.caller.userId} do not allow this operation`,
    more,
  );
}

/**
 * Loads the API description for a stub of this profile, with or without the additional operations. Profile `spec` takes
 * schemas that the spec leaves open from the default release.
 */
export function stubSpec(profile: GivenProfileNames, options: { readonly hasAdditionalOperations: boolean }): Spec {
  const releaseOrDefault = (api: Api): string => (profile[api] === "spec" ? defaultProfileOf(api) : profile[api]);
  const schemasOf = { ledger: releaseOrDefault("ledger"), registry: releaseOrDefault("registry") };
  return loadSpec(profile, { ...options, schemasOf });
}

/** The body as the operation reads it. */
function decodeBody({ shared, operation, request, sent }: Step): Decoded<JsonObject> {
  const { requestSchema } = operation;
  if (requestSchema === undefined) return nothingSent;
  if (operation.api === "ledger") return shared.decodeLedgerBody(requestSchema, sent);
  if (request.body.storedLength === 0) return missingRegistryBody;
  const decode = operation.path.startsWith("/api/") ? decodeSpliceBody : decodeRegistryBody;
  return decode(shared.spec, requestSchema, sent.body);
}

const nothingSent = { type: "decoded", value: {} } as const;

function bytesResponse({ operation }: Step, bytes: Uint8Array, headers: HeaderList): Response {
  const type: HeaderList = [["Content-Type", operation.responses["200"]?.mediaType ?? "application/octet-stream"]];
  return { type: "response", status: 200, headers: [...type, ...headers], body: new Body(bytes) };
}

function plainResponse({ operation }: Step, text: string): Response {
  const mediaType = operation.responses["200"]?.mediaType;
  return textResponse(200, mediaType === anyMediaType ? undefined : mediaType, text);
}
