import { jsonValueResponse } from "../../foundation/http/json-value-response.ts";
import { type Response, textResponse } from "../../foundation/http/response.ts";
import type { Json } from "../../foundation/json/json.ts";
import { contracts, type ErrorCode } from "../../foundation/spec/contracts.ts";
import type { Refusal } from "../../simulator/operations/refusal.ts";

type LedgerRefusal = Extract<Refusal, { readonly type: "ledger-error" }>;

/** Request and profile values that appear in an error. */
interface ErrorOptions {
  readonly profile: string;
  readonly traceId: string;
  readonly participantId: string;
  /** Whether errors of the JSON layer carry the trace id. */
  readonly isJsonLayerTraced: boolean;
  /** Whether `resources` of the node name plain types. */
  readonly hasPlainTypes: boolean;
}

const codes: ReadonlyMap<string, ErrorCode> = new Map(contracts.errorCodes.codes.map((entry) => [entry.code, entry]));

/** Renders a ledger error in the format of the spec or of a release. */
export function renderLedgerError(refusal: LedgerRefusal, options: ErrorOptions): Response {
  const entry = codes.get(refusal.code);
  if (entry?.http == null) throw new Error(`invariant: ${refusal.code} is not in contracts/error-codes.yaml`);
  if (options.profile === "spec") return renderBySpec(refusal, entry, options);
  const isRedacted = contracts.errorCodes.categories[entry.category]?.redacted === true;
  return isRedacted
    ? renderRedacted(refusal, entry, options)
    : jsonValueResponse(entry.http, fullError(refusal, entry, options));
}

/** In the spec every 400 of the ledger is one string, and other errors omit null members. */
function renderBySpec(refusal: LedgerRefusal, entry: ErrorCode, options: ErrorOptions): Response {
  if (entry.http === 400) return textResponse(400, "text/plain; charset=UTF-8", `${refusal.code}: ${refusal.cause}`);
  return jsonValueResponse(entry.http ?? 500, withoutNulls(fullError(refusal, entry, options)));
}

function withoutNulls(error: Readonly<Record<string, Json>>): Readonly<Record<string, Json>> {
  return Object.fromEntries(Object.entries(error).filter(([, value]) => value !== null));
}

/** The gRPC status that a node sends as an HTTP status, where it has no error code (Canton 3.5, GrpcHttpErrorCodes.scala). */
const grpcStatuses: Readonly<Record<number, readonly [value: number, name: string]>> = {
  400: [3, "INVALID_ARGUMENT"],
  429: [8, "RESOURCE_EXHAUSTED"],
  499: [1, "CANCELLED"],
  501: [12, "UNIMPLEMENTED"],
};

/**
 * Renders a failure without an error code: no ids, context or category. The gRPC status is that of the HTTP status, or is
 * omitted if no gRPC status has this one.
 */
export function renderUncodedStatus(status: number, description: string, profile: string): Response {
  const [grpc, name] = grpcStatuses[status] ?? [];
  const cause = name === undefined ? description : `${name}: ${description}`;
  if (profile === "spec" && status === 400) return textResponse(status, "text/plain; charset=UTF-8", cause);
  const error = {
    code: description,
    cause,
    correlationId: null,
    traceId: null,
    context: {},
    resources: [],
    errorCategory: -1,
    ...(grpc === undefined ? {} : { grpcCodeValue: grpc }),
    retryInfo: null,
    definiteAnswer: null,
  };
  return jsonValueResponse(status, profile === "spec" ? withoutNulls(error) : error);
}

function fullError(refusal: LedgerRefusal, entry: ErrorCode, options: ErrorOptions): Record<string, Json> {
  const isNode = refusal.origin === "node";
  const added = {
    category: String(entry.category),
    tid: options.traceId,
    participant: `'${options.participantId.split("::")[0]}'`,
  };
  return {
    code: refusal.code,
    cause: isNode && options.profile !== "spec" ? cut(refusal.cause) : refusal.cause,
    correlationId: refusal.correlationId ?? (isNode || !options.isJsonLayerTraced ? null : options.traceId),
    traceId: isNode || options.isJsonLayerTraced ? options.traceId : null,
    context: isNode ? { ...added, ...definiteAnswer(entry), ...refusal.context } : refusal.context,
    resources: refusal.resources.map(([type, id]) => [
      isNode && !options.hasPlainTypes ? `ErrorResource(${type})` : type,
      id,
    ]),
    errorCategory: entry.category,
    grpcCodeValue: entry.grpc,
    retryInfo: contracts.errorCodes.categories[entry.category]?.retryInfo ?? null,
    definiteAnswer: isNode ? null : false,
  };
}

const causeLengthMax = 512;

/** Truncates the cause of an error like a node. Evidence: Canton 3.5 (source). */
function cut(cause: string): string {
  return cause.length > causeLengthMax ? `${cause.slice(0, causeLengthMax)}...` : cause;
}

function definiteAnswer(entry: ErrorCode): Readonly<Record<string, string>> {
  return entry.definiteAnswer === true ? { definite_answer: "false" } : {};
}

/** Renders the redacted error of a node, which hides the cause. */
function renderRedacted(refusal: LedgerRefusal, entry: ErrorCode, options: ErrorOptions): Response {
  const error = {
    code: "NA",
    cause: "A security-sensitive error has been received",
    correlationId: options.isJsonLayerTraced ? options.traceId : null,
    traceId: options.traceId,
    context: refusal.context,
    resources: [],
    errorCategory: -1,
    grpcCodeValue: entry.grpc,
    retryInfo: null,
    definiteAnswer: null,
  };
  return jsonValueResponse(entry.http ?? 500, error);
}
