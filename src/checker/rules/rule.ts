import type { Exchange } from "../../foundation/http/exchange.ts";
import type { Json, JsonObject } from "../../foundation/json/json.ts";
import type { SpecOperation } from "../../foundation/spec/operation.ts";
import type { Spec } from "../../foundation/spec/spec.ts";
import type { BlobReading } from "./created-events.ts";

/** An exchange that a rule looks at: complete, its operation found, its bodies read. */
export interface CheckedExchange {
  readonly exchange: Exchange;
  readonly spec: Spec;
  readonly operation: SpecOperation;
  readonly pathParameters: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly status: number;
  readonly mediaType: string | undefined;
  readonly responseText: string;
  /** Undefined where the body is no JSON. */
  readonly responseJson: Json | undefined;
  readonly requestText: string;
  readonly requestJson: Json | undefined;
  /** Characters of both bodies. */
  readonly length: number;
  readonly context: ExchangeContext;
  /** Of a registry's answer. */
  readonly disclosed: readonly DisclosedContract[];
  /** Undefined where nobody knows when it took place. */
  readonly span: Span | undefined;
}

/** A disclosed contract that is an object, with its place; its blob is that of an empty text where it has none. */
export interface DisclosedContract {
  readonly contract: JsonObject;
  readonly pointer: string;
  readonly blob: BlobReading;
}

/** What somebody knows of an exchange that it does not show itself; whoever sends the request tells it. */
export interface ExchangeContext {
  /** How much the token is worth. */
  readonly token?: TokenKind;
  /** Contract ids that are on their way between synchronizers while the request is answered. */
  readonly contractsInFlight?: readonly string[];
  /** By contract id: the synchronizer to which the contract is assigned. */
  readonly assigned?: Readonly<Record<string, string>>;
  /** Whether the receiver of the transfer that is looked up has pre-approved it. */
  readonly isPreapproved?: boolean;
  /** The synchronizers to which the participant is connected. */
  readonly connectedSynchronizers?: readonly string[];
  /** Begins the ids that this check makes, where it is one of a live target. */
  readonly ownPrefix?: string;
}

export type TokenKind = "none" | "invalid" | "expired" | "plain" | "administrator";

/** What a rule found broken. `pointer` is a JSON pointer into the response, or into the request where the rule says so. */
export interface Finding {
  readonly expected: string;
  readonly actual: string;
  readonly pointer: string;
  readonly keyword?: string | undefined;
  readonly value?: Json | undefined;
}

/** An example exchange of a rule; it is the rule's test and part of its documentation. */
export interface RuleExample {
  readonly name: string;
  readonly operationId: string;
  /** Path and query; the method is the operation's. */
  readonly target: string;
  readonly requestHeaders?: Readonly<Record<string, string>>;
  readonly requestBody?: Json;
  /** The request's body where it is no JSON. */
  readonly requestText?: string;
  readonly status: number;
  readonly contentType?: string;
  readonly body: string;
  /** The body where it is no text. */
  readonly bodyBase64?: string;
  readonly context?: ExchangeContext;
}

/** Exchanges that follow each other. */
export interface TraceExample {
  readonly name: string;
  readonly exchanges: readonly Omit<RuleExample, "name">[];
}

interface RuleText<Example> {
  readonly id: string;
  /** The section of the spec. */
  readonly section: string;
  /** A warning is advice, or what the facts of the releases say and the spec does not. */
  readonly severity: "error" | "warning";
  readonly summary: string;
  /** The only operations that the rule looks at, context included; left out where it looks at all. */
  readonly operations?: readonly string[];
  /** The releases by whose descriptions the examples are checked, where the spec shows too little. */
  readonly examplesIn?: "canton-3.5";
  readonly examples: { readonly kept: readonly Example[]; readonly broken: readonly Example[] };
}

/** A sentence of the spec that one exchange can break. */
export interface ExchangeRule extends RuleText<RuleExample> {
  readonly type: "exchange";
  /** Whether the rule has anything to say about this exchange. */
  appliesTo(checked: CheckedExchange): boolean;
  check(checked: CheckedExchange): readonly Finding[];
}

/** A sentence of the spec that only several exchanges together can break. */
export interface TraceRule extends RuleText<TraceExample> {
  readonly type: "trace";
  /** Whether somebody outside the trace could be the reason for what the rule finds. */
  readonly assumesExclusiveUse: boolean;
  /** Begins to watch one target; what it remembers is bounded by what `memories` gives. */
  watch(memories: Memories): TraceWatch;
}

export type Rule = ExchangeRule | TraceRule;

/** A trace rule at work. Exchanges come in the order of time: each begins, and ends after everything that began before its end has begun. */
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

/** When an exchange took place, on a scale on which only the order counts. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Gives the memories of a trace rule, which are bounded together. */
export interface Memories {
  /** `sizeOf` gives the bytes of a value, where looking through it would take long. */
  map<Value>(sizeOf?: (value: Value) => number): BoundedMap<Value>;
}

/** Forgets the entry that was set longest ago when it is full, in entries or in bytes. */
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

/** Whether one exchange was over before the other began. */
export function isBefore(earlier: Span, later: Span): boolean {
  return earlier.end < later.start;
}
