import type { Exchange } from "../../foundation/http/exchange.ts";
import { mediaType } from "../../foundation/http/header.ts";
import { type Json, jsonOf } from "../../foundation/json/json.ts";
import type { SpecOperation } from "../../foundation/spec/operation.ts";
import type { FoundRoute } from "../../foundation/spec/router.ts";
import type { Spec } from "../../foundation/spec/spec.ts";
import type { CreatedEvents } from "./created-events.ts";
import { disclosedIn } from "./read-exchange.ts";
import type { DisclosedContract, ExchangeContext, Span, TracedExchange } from "./rule.ts";

/** Results of parsing that the server already has: route, request JSON and response JSON. */
export interface ParsedBodies {
  readonly route?: KnownRoute | undefined;
  readonly request?: Json | undefined;
  readonly response?: (() => Json | undefined) | undefined;
}

interface KnownRoute {
  readonly operation: Pick<SpecOperation, "operationId">;
  readonly pathParameters: Readonly<Record<string, string>>;
}

const nothingKnown: ExchangeContext = {};

/**
 * An exchange that has just taken place, complete and unaltered. Bodies are parsed on demand, because a stub must not
 * spend more time on client rules than on its responses.
 */
export class LiveExchange implements TracedExchange {
  readonly exchange: Exchange;
  readonly spec: Spec;
  readonly operation: SpecOperation;
  readonly pathParameters: Readonly<Record<string, string>>;
  readonly status: number;
  readonly context: ExchangeContext = nothingKnown;
  readonly span: Span;
  readonly #createdEvents: CreatedEvents;
  readonly #before: ParsedBodies;
  readonly #queryOf: (target: string) => URLSearchParams;
  #query: URLSearchParams | undefined;
  #responseJson: { readonly value: Json | undefined } | undefined;
  #requestText: string | undefined;
  #requestJson: { readonly value: Json | undefined } | undefined;
  #disclosed: readonly DisclosedContract[] | undefined;

  constructor(
    exchange: Exchange,
    { operation, pathParameters }: FoundRoute,
    { spec, span, createdEvents, queryOf, before }: LiveReadOptions,
  ) {
    this.exchange = exchange;
    this.spec = spec;
    this.operation = operation;
    this.pathParameters = pathParameters;
    this.status = exchange.response.type === "response" ? exchange.response.status : 0;
    this.span = span;
    this.#createdEvents = createdEvents;
    this.#queryOf = queryOf;
    this.#before = before;
  }

  get query(): URLSearchParams {
    this.#query ??= this.#queryOf(this.exchange.request.target);
    return this.#query;
  }

  get mediaType(): string | undefined {
    const { response } = this.exchange;
    return response.type === "response" ? mediaType(response.headers) : undefined;
  }

  get responseText(): string {
    const { response } = this.exchange;
    return response.type === "response" ? response.body.text() : "";
  }

  get responseJson(): Json | undefined {
    this.#responseJson ??= { value: this.#before.response?.() ?? jsonOf(this.responseText) };
    return this.#responseJson.value;
  }

  get requestText(): string {
    this.#requestText ??= this.exchange.request.body.text();
    return this.#requestText;
  }

  get requestJson(): Json | undefined {
    this.#requestJson ??= { value: this.#before.request ?? jsonOf(this.requestText) };
    return this.#requestJson.value;
  }

  get length(): number {
    return this.requestText.length + this.responseText.length;
  }

  get disclosed(): readonly DisclosedContract[] {
    this.#disclosed ??= disclosedIn(this.responseJson, this.#createdEvents);
    return this.#disclosed;
  }
}

interface LiveReadOptions {
  readonly spec: Spec;
  readonly span: Span;
  readonly createdEvents: CreatedEvents;
  /** Parses the query of a target. The result is shared and must not be changed. */
  readonly queryOf: (target: string) => URLSearchParams;
  readonly before: ParsedBodies;
}
