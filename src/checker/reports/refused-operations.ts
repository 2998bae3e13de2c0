import type { Exchange } from "../../foundation/http/exchange.ts";
import { headerValues } from "../../foundation/http/header.ts";
import { routeOf } from "../../foundation/spec/route-of.ts";
import type { Spec } from "../../foundation/spec/spec.ts";
import type { ExchangeVerdict } from "../engine/exchange-verdict.ts";
import { isValidRequest } from "../rules/is-valid-request.ts";
import { createExchangeReader, type ReadExchange } from "../rules/read-exchange.ts";
import { isDisabled } from "./gate.ts";
import type { InconclusiveRun } from "./report.ts";

/** Refused valid requests after which an operation without a success counts as not served. */
const refusalsMin = 3;

interface Refusals {
  count: number;
  readonly statuses: Set<number>;
}

/**
 * The operations of which every valid request in a recording was refused. A few refusals are normal, since an application
 * tests its handling of errors; an operation that is refused every time is not shown to work.
 */
export class RefusedOperations {
  readonly #spec: Spec;
  readonly #read: ReadExchange;
  readonly #seen = new WeakSet<Exchange>();
  readonly #succeeded = new Set<string>();
  readonly #refused = new Map<string, Refusals>();

  constructor(spec: Spec) {
    this.#spec = spec;
    this.#read = createExchangeReader(spec);
  }

  /** Adds the verdict of an exchange; each exchange counts once. */
  readonly add = (exchange: Exchange, verdict: ExchangeVerdict): void => {
    if (verdict.type === "unsupported" || verdict.status === 0 || this.#succeeded.has(verdict.operationId)) return;
    if (this.#seen.has(exchange)) return;
    this.#seen.add(exchange);
    const { operationId, status } = verdict;
    if (status < 300) this.#succeeded.add(operationId);
    else if (this.#isValid(exchange, status)) {
      const known = this.#refused.get(operationId) ?? { count: 0, statuses: new Set() };
      known.count += 1;
      known.statuses.add(status);
      this.#refused.set(operationId, known);
    }
  };

  /** The operations of the spec without a success, each with the refusals. */
  list(): readonly InconclusiveRun[] {
    return this.#spec.operations.flatMap((operation) => {
      const { operationId, isAdditional } = operation;
      const isExempt = isAdditional || this.#succeeded.has(operationId) || isDisabled(operation, this.#spec);
      const refusals = isExempt ? undefined : this.#refused.get(operationId);
      if (refusals === undefined || refusals.count < refusalsMin) return [];
      const statuses = [...refusals.statuses].sort((left, right) => left - right).join(", ");
      return [
        {
          subject: operationId,
          reason: `no success, only ${statuses} for ${refusals.count} requests that the spec allows`,
        },
      ];
    });
  }

  #isValid(exchange: Exchange, status: number): boolean {
    const route = routeOf(this.#spec, exchange.request);
    const hasToken = headerValues(exchange.request.headers, "authorization").length > 0;
    return route !== undefined && (status !== 401 || hasToken) && isValidRequest(this.#read(exchange, route));
  }
}
