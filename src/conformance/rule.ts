import type { Exchange } from "../http/exchange.ts";
import type { Json } from "../http/json.ts";
import type { SpecOperation } from "../spec/operation.ts";
import type { Spec } from "../spec/spec.ts";

/** An exchange that a rule looks at: complete, its operation found, its bodies read. */
export interface JudgedExchange {
  readonly exchange: Exchange;
  readonly spec: Spec;
  readonly operation: SpecOperation;
  readonly status: number;
  readonly mediaType: string | undefined;
  readonly responseText: string;
  /** Undefined where the body is no JSON. */
  readonly responseJson: Json | undefined;
  readonly requestJson: Json | undefined;
}

/** What a rule found broken. `pointer` is a JSON pointer into the response, or into the request where the rule says so. */
export interface Finding {
  readonly expected: string;
  readonly actual: string;
  readonly pointer: string;
  readonly keyword?: string;
  readonly value?: Json | undefined;
}

/** An example exchange of a rule; it is the rule's test and part of its documentation. */
export interface RuleExample {
  readonly name: string;
  readonly operationId: string;
  /** Path and query; the method is the operation's. */
  readonly target: string;
  readonly requestBody?: Json;
  readonly status: number;
  readonly contentType?: string;
  readonly body: string;
}

/** A sentence of the document that one exchange can break. */
export interface Rule {
  readonly id: string;
  /** The section of the document. */
  readonly section: string;
  readonly severity: "error" | "warning";
  readonly summary: string;
  /** Whether the rule has anything to say about this exchange. */
  appliesTo(judged: JudgedExchange): boolean;
  check(judged: JudgedExchange): readonly Finding[];
  readonly examples: { readonly kept: readonly RuleExample[]; readonly broken: readonly RuleExample[] };
}
