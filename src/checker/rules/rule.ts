import type { Body } from "../../foundation/http/body.ts";
import type { Exchange } from "../../foundation/http/exchange.ts";
import type { Json, JsonObject } from "../../foundation/json/json.ts";
import type { Api } from "../../foundation/spec/contracts.ts";
import type { SpecOperation } from "../../foundation/spec/operation.ts";
import type { Spec } from "../../foundation/spec/spec.ts";
import type { BlobReading } from "./read-blob.ts";
import type { PreparedReading } from "./read-prepared.ts";

/** An exchange prepared for rules: its operation is found and its bodies are parsed. */
export interface CheckedExchange {
  readonly exchange: Exchange;
  readonly spec: Spec;
  /** An operation of the spec, or the pseudo operation of an unlisted change. */
  readonly operation: SpecOperation<Api, string>;
  readonly pathParameters: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly status: number;
  readonly mediaType: string | undefined;
  /** The charset that the response names, in lower case. */
  readonly charset: string | undefined;
  /** Empty without a complete, unaltered response. */
  readonly responseBody: Body;
  /** Undefined if the body is not JSON. */
  readonly responseJson: Json | undefined;
  readonly requestText: string;
  readonly requestJson: Json | undefined;
  /** Length of both bodies, in characters of text or in bytes. */
  readonly length: number;
  readonly context: ExchangeContext;
  /** The disclosed contracts of a registry response. */
  readonly disclosed: readonly DisclosedContract[];
  /** Reads a prepared transaction in base64; rules and exchanges with the same text share one reading. */
  readonly preparedOf: (preparedTransaction: string) => PreparedReading;
  /** Undefined if the time is unknown. */
  readonly span: Span | undefined;
}

/**
 * A disclosed contract that is a JSON object, with its pointer. Without a blob, `blob` is the reading of an empty text.
 */
export interface DisclosedContract {
  readonly contract: JsonObject;
  readonly pointer: string;
  readonly blob: BlobReading;
}

/** What an exchange does not show: its context. The sender of the request supplies it. */
export interface ExchangeContext {
  /** Which kind of token the request has. */
  readonly token?: TokenKind;
  /** Ids of the contracts that are being reassigned during the request. */
  readonly contractsInFlight?: readonly string[];
  /** The synchronizer that each contract is assigned to, by contract id. */
  readonly assigned?: Readonly<Record<string, string>>;
  /** Whether the receiver of the looked-up transfer has a pre-approval. */
  readonly isPreapproved?: boolean;
  /** The synchronizers that the participant is connected to. */
  readonly connectedSynchronizers?: readonly string[];
  /** What differs from a request that the target has accepted; only optional members and allowed values may differ. */
  readonly variant?: string;
  /** The only member that the request omits of one that the target has accepted. */
  readonly omits?: "synchronizerId";
  /** Whether a probe reads the effect of another request. Trace rules report what it shows, additional operation or not. */
  readonly readsBack?: true;
  /** Prefix of the ids that this check creates at a live target. */
  readonly ownPrefix?: string;
}

export type TokenKind = "none" | "invalid" | "expired" | "plain" | "administrator";

/** A broken place. `pointer` is a JSON pointer into the response, or into the request if the rule says so. */
export interface Finding {
  readonly expected: string;
  readonly actual: string;
  readonly pointer: string;
  /** What the consumer should do in this case. Default: the advice of the client rule. */
  readonly advice?: string | undefined;
  readonly keyword?: string | undefined;
  readonly value?: Json | undefined;
  /**
   * The basis of a finding that the spec does not forbid: `release` is an error at level `release` and a warning at level
   * `spec`; `advice` is always a warning. Default: the severity of the rule.
   */
  readonly basis?: "release" | "advice" | undefined;
  /** Whether no other client can cause it, although the rule assumes exclusive use. */
  readonly isCertain?: boolean | undefined;
  /** The user whom it is about. */
  readonly user?: string | undefined;
}

/** An example exchange of a rule: a test of the rule and part of its documentation. */
export interface RuleExample {
  readonly name: string;
  readonly operationId: string;
  /** Path and query. The method is that of the operation. */
  readonly target: string;
  readonly requestHeaders?: Readonly<Record<string, string>>;
  readonly requestBody?: Json;
  /** The request body if it is not JSON. */
  readonly requestText?: string;
  readonly status: number;
  readonly contentType?: string;
  readonly body: string;
  /** The body if it is not text, as base64. */
  readonly bodyBase64?: string;
  readonly context?: ExchangeContext;
  /** Whether the findings of this broken example are warnings at level `spec`. */
  readonly isWarning?: true;
}

/** An example of consecutive exchanges. */
export interface TraceExample {
  readonly name: string;
  readonly isWarning?: true;
  readonly exchanges: readonly Omit<RuleExample, "name">[];
}

interface RuleText<Example> {
  readonly id: string;
  /** Section number in the spec. */
  readonly section: string;
  /** A warning is advice of the spec, or known behaviour of releases that the spec does not require. */
  readonly severity: "error" | "warning";
  /** Findings of a rule of the severity `error` that are only warnings at level `spec`, and why. */
  readonly inSpec?: { readonly warning: "all" | "some"; readonly because: string };
  readonly summary: string;
  /** The operations that the rule reads, including those it only learns from; all operations if missing. */
  readonly operations?: readonly string[];
  /** The profile of the examples, if the spec shows too little. */
  readonly examplesIn?: "canton-3.5";
  readonly examples: { readonly kept: readonly Example[]; readonly broken: readonly Example[] };
}

/** A rule that one exchange can break. */
export interface ExchangeRule extends RuleText<RuleExample> {
  readonly type: "exchange";
  /** Rules that report the same cause: if one of them fails, this rule reports nothing on the exchange. */
  readonly yieldsTo?: readonly string[];
  /** Whether the rule applies to this exchange. */
  appliesTo(checked: CheckedExchange): boolean;
  check(checked: CheckedExchange): readonly Finding[];
}

/** A rule that only several exchanges together can break. */
export interface TraceRule extends RuleText<TraceExample> {
  readonly type: "trace";
  /** Whether something outside the trace could explain a finding: requests of other clients, or a reset of the target. */
  readonly assumesExclusiveUse: boolean;
  /** Starts to watch one target. All memory comes from `memories`, which bounds it. */
  watch(memories: Memories): TraceWatch;
}

export type Rule = ExchangeRule | TraceRule;

/**
 * A trace rule that watches a target. Exchanges arrive in order of time: `begins` at the start of an exchange, `ends`
 * at its end.
 */
export interface TraceWatch {
  begins?(traced: TracedExchange): void;
  ends(traced: TracedExchange): RuleResult;
}

/** The result of a trace rule for one exchange. An inconclusive result names the reason. */
export type RuleResult =
  | { readonly type: "findings"; readonly findings: readonly Finding[] }
  | { readonly type: "not-applicable" }
  | { readonly type: "inconclusive"; readonly reason: string };

export interface TracedExchange extends CheckedExchange {
  readonly span: Span;
}

/** When an exchange takes place, on a scale where only the order counts. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Creates the bounded maps of a trace rule. They share one limit. */
export interface Memories {
  /** `sizeOf` gives the size of a value in bytes, for values that are slow to measure. */
  map<Value>(sizeOf?: (value: Value) => number): BoundedMap<Value>;
  /** A map of values that can be computed again. Its evictions lose nothing, and are not counted. */
  cache<Value>(): BoundedMap<Value>;
}

/** A map that evicts its oldest entry when it reaches its limit of entries or bytes. */
export interface BoundedMap<Value> {
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
  delete(key: string): void;
}

export const notApplicable: RuleResult = { type: "not-applicable" };

export const noFindings: RuleResult = { type: "findings", findings: [] };

export function withFindings(findings: readonly Finding[]): RuleResult {
  return { type: "findings", findings };
}

export function inconclusive(reason: string): RuleResult {
  return { type: "inconclusive", reason };
}

/** Whether one exchange ended before the other began. */
export function isBefore(earlier: Span, later: Span): boolean {
  return earlier.end < later.start;
}
