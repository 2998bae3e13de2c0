import type { Exchange } from "../../foundation/http/exchange.ts";
import { type Mask, plainMask } from "../../foundation/secrets/mask.ts";
import type { SpecOperation } from "../../foundation/spec/operation.ts";
import type { FoundRoute } from "../../foundation/spec/router.ts";
import type { Spec } from "../../foundation/spec/spec.ts";
import type {
  ConductFault,
  ConductFinding,
  ConductReport,
  ConductWatch,
  CountedConductFinding,
} from "../client-rules/client-finding.ts";
import type { ConductRule } from "../client-rules/client-rule.ts";
import { conductRules } from "../client-rules/index.ts";
import { baseUrlOf, namedWorldOf } from "../rules/base-url-of.ts";
import { CreatedEvents } from "../rules/created-events.ts";
import { LiveExchange, type ReadBefore } from "../rules/live-exchange.ts";
import { onceEach } from "../rules/memoize.ts";
import { queryOf, readExchange, routeOf } from "../rules/read-exchange.ts";
import type { Finding, JudgedExchange } from "../rules/rule.ts";
import { rulesByOperation } from "./_rules-by-operation.ts";
import { CountedFaults, CountedFindings } from "./counted-findings.ts";
import { bytesOf, type Order, Turns } from "./exchange-queue.ts";
import { maskOf, shownText } from "./shown-violation.ts";
import { Trace, type TraceLook } from "./trace.ts";

export interface ConductSettings {
  /** The contract, with the neighbours: what is prepared there is executed here. */
  readonly spec: Spec;
  readonly order: Order;
  /** Whether all that the consumer asked and was answered is among the exchanges; otherwise what was not seen may excuse it. */
  readonly isWhole: boolean;
  /** Whether all exchanges are of one world; otherwise those that name their worlds are told apart. */
  readonly isOneWorld: boolean;
  /** Told of each finding as it is made. */
  readonly onFinding?: (finding: ConductFinding) => void;
  /** Told of each time that a rule fails itself. */
  readonly onFault?: (fault: Omit<ConductFault, "count">) => void;
  /** Takes secrets out of what is kept. */
  readonly mask?: Mask;
}

const byId: ReadonlyMap<string, ConductRule> = new Map(conductRules.map((rule) => [rule.id, rule]));
const exchangeRules = rulesByOperation(conductRules.filter((rule) => rule.type === "exchange"));
const traceRules = conductRules.filter((rule) => rule.type === "trace");
const rulesAt = rulesByOperation(conductRules);

/** Findings of one rule in one exchange. */
const findingsMax = 20;

/**
 * Judges the consumer by the conduct rules, as `Judge` judges the target, and with the same bounds. Ledger and registry
 * belong together, since what is looked up at one is submitted at the other.
 */
export class ConductJudge implements ConductWatch {
  readonly #settings: ConductSettings;
  readonly #turns: Turns;
  readonly #mask: Mask;
  readonly #createdEvents = new CreatedEvents();
  readonly #queryOf = onceEach(queryOf);
  readonly #operations: ReadonlyMap<string, SpecOperation>;
  readonly #findings = new CountedFindings();
  readonly #faults = new CountedFaults();
  #trace: Trace<number>;
  #added = 0;

  constructor(settings: ConductSettings) {
    this.#settings = settings;
    this.#turns = new Turns(settings.order);
    this.#mask = settings.mask ?? plainMask;
    this.#trace = this.#newTrace();
    this.#operations = new Map(settings.spec.operations.map((operation) => [operation.operationId, operation]));
  }

  add(exchange: Exchange, before?: ReadBefore): void {
    const index = this.#added;
    this.#added += 1;
    if (before === undefined) this.#addRecorded(exchange, index);
    else this.#addLive(exchange, before, index);
  }

  #addRecorded(exchange: Exchange, index: number): void {
    const span = this.#turns.spanOf(exchange);
    this.#turns.take(span, bytesOf(exchange), () => {
      const judged = this.#read(exchange, span);
      if (judged === undefined) return;
      this.#judgeAlone(judged, index);
      this.#take(this.#trace.add(judged, index));
      // Nothing is under way where a client waited for each answer.
      if (this.#settings.order === "one-by-one") this.#take(this.#trace.end());
    });
  }

  #addLive(exchange: Exchange, before: ReadBefore, index: number): void {
    const route = this.#liveRoute(exchange, before);
    if (route === undefined) return;
    const { spec } = this.#settings;
    const span = { start: index * 2, end: index * 2 + 1 };
    const [createdEvents, readQuery] = [this.#createdEvents, this.#queryOf];
    const live = new LiveExchange(exchange, route, { spec, span, createdEvents, queryOf: readQuery, before });
    this.#judgeAlone(live, index);
    this.#take(this.#trace.pass(live, index));
  }

  #liveRoute(exchange: Exchange, { route }: ReadBefore): FoundRoute | undefined {
    if (route === undefined) return this.#routeOf(exchange);
    const operation = this.#operations.get(route.operation.operationId);
    const isJudged = operation?.method === exchange.request.method && rulesAt(operation.operationId).length > 0;
    return isJudged ? { type: "found", operation, pathParameters: route.pathParameters } : undefined;
  }

  /** Says that exchanges are missing here: what comes is judged by nothing that was before. */
  cut(): void {
    this.end();
    this.#trace = this.#newTrace();
  }

  /** Says what is left to say. */
  end(): void {
    this.#turns.end();
    this.#take(this.#trace.end());
  }

  report(): ConductReport {
    return {
      findings: this.#findings.list(),
      dropped: this.#findings.dropped,
      faults: this.#faults.list(),
    };
  }

  #newTrace(): Trace<number> {
    return new Trace(traceRules, this.#settings.isOneWorld ? () => "" : worldOf);
  }

  /** Undefined where no rule looks at the exchange. */
  #routeOf(exchange: Exchange): FoundRoute | undefined {
    const route = routeOf(this.#settings.spec, exchange);
    return route === undefined || rulesAt(route.operation.operationId).length === 0 ? undefined : route;
  }

  #read(exchange: Exchange, span: JudgedExchange["span"]): JudgedExchange | undefined {
    const route = this.#routeOf(exchange);
    if (route === undefined) return undefined;
    const surroundings = { known: {}, span, createdEvents: this.#createdEvents };
    return readExchange(this.#settings.spec, route, exchange, surroundings);
  }

  #judgeAlone(judged: JudgedExchange, index: number): void {
    for (const rule of exchangeRules(judged.operation.operationId))
      try {
        if (rule.appliesTo(judged)) this.#keep(rule, judged, rule.check(judged), index);
      } catch (error) {
        this.#noteFault(rule.id, error);
      }
  }

  #take(looks: readonly TraceLook<number>[]): void {
    for (const { rule, judged, look, tag } of looks) {
      if (look.type === "failed") this.#noteFault(rule.id, look.error);
      if (look.type === "looked") this.#keep(rule, judged, look.findings, tag);
    }
  }

  /** A rule that fails accuses nobody. */
  #noteFault(rule: string, error: unknown): void {
    const problem = this.#mask(String(error));
    this.#faults.add({ rule, problem });
    this.#settings.onFault?.({ rule, problem });
  }

  #keep(of: { readonly id: string }, judged: JudgedExchange, found: readonly Finding[], index: number): void {
    const rule = byId.get(of.id);
    if (rule === undefined || found.length === 0) return;
    const mask = maskOf(judged.exchange, this.#mask);
    const isExcused = rule.type === "trace" && rule.assumesQuiet && !this.#settings.isWhole;
    const severity = isExcused ? "warning" : rule.severity;
    for (const finding of found.slice(0, findingsMax)) {
      const shown = { ...findingOf(rule, judged, finding, mask), severity, exchange: index };
      this.#findings.add(shown);
      this.#settings.onFinding?.(shown);
    }
  }
}

function findingOf(
  { id, section, sentence, advice }: ConductRule,
  { operation, status }: JudgedExchange,
  { expected, actual, pointer }: Finding,
  mask: Mask,
): Omit<ConductFinding, "severity" | "exchange"> {
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
    advice,
  };
}

/** What a consumer did in exchanges that all are of one world, in the order in which they were answered, as in a journal. */
export function judgeConduct(
  spec: Spec,
  exchanges: readonly Exchange[],
  { isWhole }: Pick<ConductSettings, "isWhole"> = { isWhole: true },
): readonly CountedConductFinding[] {
  const judge = new ConductJudge({ spec, order: "by-time", isWhole, isOneWorld: true });
  for (const exchange of withTimesByOrder(exchanges)) judge.add(exchange);
  judge.end();
  return judge.report().findings;
}

/** Far more than the judge allows for clocks. */
const stepMs = 10;

/**
 * Exchanges that follow each other within a millisecond overlap by their times. By the order in which they ended they do
 * not, save where one had not ended yet when the next began, as when its answer was held back.
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

/** The world of an Understudy where one is named; what names none is one consumer's with one ledger and its registries. */
function worldOf(judged: JudgedExchange): string {
  const [base, named] = [baseUrlOf(judged), namedWorldOf(judged)];
  return named !== "" || worldPath.test(base) ? `${base} ${named}` : "";
}

const worldPath = / \/w\/[^/]+$/;
