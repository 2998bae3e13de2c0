import type { Exchange } from "../../foundation/http/exchange.ts";
import { headerValue } from "../../foundation/http/header.ts";
import { type Mask, plainMask } from "../../foundation/secrets/mask.ts";
import type { SpecOperation } from "../../foundation/spec/operation.ts";
import { routeOf } from "../../foundation/spec/route-of.ts";
import type { FoundRoute } from "../../foundation/spec/router.ts";
import type { Spec } from "../../foundation/spec/spec.ts";
import type {
  ClientFinding,
  ClientReport,
  ClientRuleFault,
  ClientRulesWatch,
  CountedClientFinding,
} from "../client-rules/client-finding.ts";
import type { ClientRule } from "../client-rules/client-rule.ts";
import { clientRules } from "../client-rules/index.ts";
import { baseUrlOf, namedWorldOf } from "../rules/base-url-of.ts";
import { createExchangeReader, noContext, type ParsedExchange, type ReadExchange } from "../rules/read-exchange.ts";
import type { CheckedExchange, ExchangeContext, Finding } from "../rules/rule.ts";
import { rulesByOperation } from "./_rules-by-operation.ts";
import type { ConsumerCoverage } from "./consumer-coverage.ts";
import { CountedFaults, CountedFindings, FoundFinding, kindOfFinding } from "./counted-findings.ts";
import { ExchangeQueue, type Order } from "./exchange-queue.ts";
import { maskOf, shownText } from "./shown-violation.ts";
import { Trace, type TraceResult } from "./trace.ts";

export interface ClientRulesOptions {
  /** The spec with the additional operations; a transaction that one of them prepared is executed by an operation of the spec. */
  readonly spec: Spec;
  readonly order: Order;
  /** Whether the exchanges include all traffic of the consumer. If not, missing exchanges may explain a finding. */
  readonly isWhole: boolean;
  /**
   * Whether all exchanges belong to one world of a stub, which sees all headers. If not, exchanges are separated by the world
   * that they name, and a recorder may have omitted tokens.
   */
  readonly isOneWorld: boolean;
  /** Receives each finding immediately, with the exchange in which it was found. */
  readonly onFinding?: (found: FoundFinding, exchange: Exchange) => void;
  /** Receives each error that a rule throws. */
  readonly onFault?: (fault: Omit<ClientRuleFault, "count">) => void;
  /** Counts what the consumer exercises. Checkers of several worlds may share it. */
  readonly coverage?: ConsumerCoverage | undefined;
  /** Redacts secrets in findings. */
  readonly mask?: Mask;
}

const byId: ReadonlyMap<string, ClientRule> = new Map(clientRules.map((rule) => [rule.id, rule]));
const exchangeRules = rulesByOperation(clientRules.filter((rule) => rule.type === "exchange"));
const traceRules = clientRules.filter((rule) => rule.type === "trace");
const rulesAt = rulesByOperation(clientRules);

/** Findings that one rule may report per exchange. */
const findingsMax = 20;

/**
 * Checks the consumer by the client rules, as `Checker` checks the target, with the same limits. Ledger and registry share
 * one trace, because the consumer submits to the ledger what it looked up in the registry.
 */
export class ClientChecker implements ClientRulesWatch {
  readonly #options: ClientRulesOptions;
  readonly #queue: ExchangeQueue;
  readonly #mask: Mask;
  readonly #read: ReadExchange;
  readonly #operations: ReadonlyMap<string, SpecOperation>;
  readonly #findings = new CountedFindings();
  readonly #faults = new CountedFaults();
  #trace: Trace<number>;
  #added = 0;

  constructor(options: ClientRulesOptions) {
    this.#options = options;
    this.#queue = new ExchangeQueue(options.order);
    this.#mask = options.mask ?? plainMask;
    this.#read = createExchangeReader(options.spec);
    this.#trace = this.#newTrace();
    this.#operations = new Map(options.spec.operations.map((operation) => [operation.operationId, operation]));
  }

  add(exchange: Exchange, parsed?: ParsedExchange): void {
    const index = this.#added;
    this.#added += 1;
    const route = this.#routeOf(exchange, parsed);
    this.#options.coverage?.addExchange(route?.operation.operationId, exchange);
    if (route === undefined || rulesAt(route.operation.operationId).length === 0) return;
    const span = this.#queue.spanOf(exchange);
    this.#queue.take(exchange, span, () => {
      const checked = this.#read(exchange, route, { span, parsed, context: this.#contextOf(exchange) });
      this.#checkAlone(checked, index);
      this.#record(this.#trace.add(checked, index));
      // With this order, the client waited for each response: no exchange is open.
      if (this.#options.order === "one-by-one") this.#record(this.#trace.end());
    });
  }

  #routeOf(exchange: Exchange, parsed: ParsedExchange | undefined): FoundRoute | undefined {
    return parsed?.route === undefined
      ? routeOf(this.#options.spec, exchange.request)
      : this.#known(exchange, parsed.route);
  }

  /** The route that the stub found, with the operation of this spec. */
  #known(
    { request }: Exchange,
    { operation: { operationId }, pathParameters }: NonNullable<ParsedExchange["route"]>,
  ): FoundRoute | undefined {
    const operation = this.#operations.get(operationId);
    return operation?.method === request.method ? { type: "found", operation, pathParameters } : undefined;
  }

  /** Starts a new trace after a gap: earlier exchanges are no context for later ones. */
  cut(): void {
    this.end();
    this.#trace = this.#newTrace();
  }

  /** Ends the trace and records its remaining findings. */
  end(): void {
    this.#queue.end();
    this.#record(this.#trace.end());
  }

  report(): ClientReport {
    return {
      findings: this.#findings.list(),
      dropped: this.#findings.dropped,
      faults: this.#faults.list(),
    };
  }

  #contextOf({ request }: Exchange): ExchangeContext {
    const hasToken = !this.#options.isOneWorld || headerValue(request.headers, "authorization") !== undefined;
    return hasToken ? noContext : withoutToken;
  }

  #newTrace(): Trace<number> {
    return new Trace(traceRules, this.#options.isOneWorld ? () => "" : worldOf);
  }

  #checkAlone(checked: CheckedExchange, index: number): void {
    for (const rule of exchangeRules(checked.operation.operationId))
      try {
        if (rule.appliesTo(checked)) this.#add(rule, checked, rule.check(checked), index);
      } catch (error) {
        this.#addFault(rule.id, error);
      }
  }

  #record(results: readonly TraceResult<number>[]): void {
    for (const { rule, checked, result, tag } of results) {
      if (result.type === "failed") this.#addFault(rule.id, result.error);
      if (result.type === "findings") this.#add(rule, checked, result.findings, tag);
    }
  }

  /** A rule that throws yields no finding. */
  #addFault(rule: string, error: unknown): void {
    const problem = this.#mask(String(error));
    this.#faults.add({ rule, problem });
    this.#options.onFault?.({ rule, problem });
  }

  #add(rule: { readonly id: string }, checked: CheckedExchange, found: readonly Finding[], index: number): void {
    this.#options.coverage?.addRule(rule.id, found.length > 0);
    if (found.length > 0) this.#keep(rule, checked, found, index);
  }

  #keep(of: { readonly id: string }, checked: CheckedExchange, found: readonly Finding[], index: number): void {
    const rule = byId.get(of.id);
    if (rule === undefined) return;
    const { operationId } = checked.operation;
    const isExcused = rule.type === "trace" && rule.assumesExclusiveUse && !this.#options.isWhole;
    const severity = isExcused ? "warning" : rule.severity;
    const mask = maskOf(checked.exchange, this.#mask);
    for (const finding of found.slice(0, findingsMax)) {
      const pointer = finding.pointer === "" ? "" : shownText(finding.pointer, mask);
      const show = () => ({ ...findingOf(rule, checked, finding, mask), severity, exchange: index });
      const shownLater = new FoundFinding(kindOfFinding(rule.id, operationId, pointer), show);
      this.#findings.add(shownLater);
      this.#options.onFinding?.(shownLater, checked.exchange);
    }
  }
}

const withoutToken: ExchangeContext = { token: "none" };

function findingOf(
  { id, section, sentence, advice }: ClientRule,
  { operation, status }: CheckedExchange,
  { expected, actual, pointer, advice: ofCase = advice }: Finding,
  mask: Mask,
): Omit<ClientFinding, "severity" | "exchange"> {
  return {
    rule: id,
    section,
    sentence,
    operationId: operation.operationId,
    method: operation.method,
    path: operation.path,
    status,
    expected: shownText(expected, mask),
    actual: shownText(actual, mask),
    pointer: shownText(pointer, mask),
    advice: ofCase,
  };
}

/** Checks the exchanges of one world, in the order of their responses (as in a journal), by the client rules. */
export function checkClientRules(
  spec: Spec,
  exchanges: readonly Exchange[],
  { isWhole }: Pick<ClientRulesOptions, "isWhole"> = { isWhole: true },
): readonly CountedClientFinding[] {
  const checker = new ClientChecker({ spec, order: "by-time", isWhole, isOneWorld: true });
  for (const exchange of withTimesByOrder(exchanges)) checker.add(exchange);
  checker.end();
  return checker.report().findings;
}

/** Distance between generated times; far above the clock tolerance of the checker. */
const stepMs = 10;

/**
 * Replaces times by positions in the list. Times with millisecond precision make consecutive exchanges overlap. The order
 * of their ends does not, except where one ended after the next began, for example because its response was delayed.
 */
function withTimesByOrder(exchanges: readonly Exchange[]): readonly Exchange[] {
  const endsMs = exchanges.map(({ startedAt, durationMs }) => Date.parse(startedAt) + durationMs);
  return exchanges.map((exchange, index) => {
    const startedMs = Date.parse(exchange.startedAt);
    let over = index;
    while (over > 0 && (endsMs[over - 1] ?? startedMs) > startedMs) over -= 1;
    const startedAt = new Date(over * stepMs).toISOString();
    return { ...exchange, startedAt, durationMs: (index - over) * stepMs };
  });
}

/** The world of a stub. Exchanges that name no world share one: one consumer, one ledger, its registries. */
function worldOf(checked: CheckedExchange): string {
  const [base, named] = [baseUrlOf(checked), namedWorldOf(checked)];
  return named !== "" || worldPath.test(base) ? `${base} ${named}` : "";
}

const worldPath = / \/w\/[^/]+$/;
