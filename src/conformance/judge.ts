import type { Exchange } from "../http/exchange.ts";
import type { Spec } from "../spec/spec.ts";
import { createDivergenceMatch, type KnownDivergences } from "./_divergence-match.ts";
import { rulesByOperation } from "./_rules-by-operation.ts";
import { CreatedEvents } from "./created-events.ts";
import { EqualExchanges } from "./equal-exchanges.ts";
import { documentedPath, readExchange, routeOf } from "./read-exchange.ts";
import type { Finding, JudgedExchange, Known, Rule, Span, TokenWorth, TraceRule } from "./rule.ts";
import { faultResult } from "./rule-fault.ts";
import { rules } from "./rules/index.ts";
import { Trace, type TraceLook } from "./trace.ts";
import { type Order, Turns } from "./turns.ts";
import { unlistedChange } from "./unlisted-change.ts";
import type { Verdict } from "./verdict.ts";

/** `document` is the letter: known divergences fail. `release` shows them and lets them pass. */
export type Level = "document" | "release";

export type Outcome = "PASS" | "WARN" | "KNOWN" | "FAIL";

/** A broken rule with the exchange that broke it. */
export interface Violation extends Finding {
  readonly rule: string;
  readonly section: string;
  readonly operationId: string;
  readonly status: number;
  readonly outcome: Outcome;
  readonly divergence: string | undefined;
  readonly exchange: Exchange;
  /** What the token of the request was worth, where that is known. */
  readonly token?: TokenWorth | undefined;
  /** The probe that provoked it. */
  readonly probe?: string | undefined;
}

export interface RuleResult {
  readonly rule: string;
  readonly outcome: Outcome;
  readonly violations: readonly Violation[];
  /** Whether the rule itself failed: the violation says how. */
  readonly isFault?: true;
}

/** `status` is 0 where no answer came whole. */
export type ExchangeVerdict =
  | {
      readonly type: "judged";
      readonly operationId: string;
      readonly status: number;
      readonly results: readonly RuleResult[];
    }
  | { readonly type: "outside"; readonly method: string; readonly path: string };

export interface JudgeSettings {
  /** The contract, with the neighbours: what they show is context, even where they are not judged. */
  readonly spec: Spec;
  readonly level: Level;
  /** Whether the operations outside the document are judged too. */
  readonly areNeighboursJudged: boolean;
  readonly order: Order;
  /** Whether nobody outside the trace used the target meanwhile. */
  readonly isAlone: boolean;
  /** The probe that the exchanges are of. */
  readonly probe?: string;
  /** Told what a trace rule says of an exchange that was added before. */
  readonly onResult?: (exchange: Exchange, result: RuleResult) => void;
}

/** The worst that was said of an exchange so far. */
interface Standing {
  outcome: Outcome;
}

const exchangeRules = rulesByOperation(
  rules
    .filter((rule) => rule.type === "exchange")
    .map((rule) => ({ rule, operations: rule.operations, kept: keptBy(rule) })),
);
const traceRules = rules.filter((rule) => rule.type === "trace");

/** What findings are measured by. */
interface Measure {
  readonly level: Level;
  readonly knownDivergences: KnownDivergences;
  readonly probe?: string | undefined;
}

/** An exchange that was judged for itself; one that is not to be judged is only what others are judged by. */
interface Judged {
  readonly judged: JudgedExchange | undefined;
  readonly standing: Standing | undefined;
  readonly verdict: ExchangeVerdict;
}

/** Judges exchanges, each for itself and all in their order of time, into a verdict. It does not know who answered. */
export class Judge {
  readonly #settings: JudgeSettings;
  readonly #measure: Measure;
  readonly #verdict: Verdict;
  readonly #trace: Trace<Standing | undefined> = new Trace(traceRules);
  readonly #turns: Turns;
  readonly #createdEvents = new CreatedEvents();
  readonly #equal = new EqualExchanges<Judged>();

  constructor(settings: JudgeSettings, verdict: Verdict) {
    this.#settings = settings;
    this.#turns = new Turns(settings.order);
    const { level, probe, spec } = settings;
    this.#measure = { level, probe, knownDivergences: createDivergenceMatch(spec.divergences) };
    this.#verdict = verdict;
  }

  /** The verdict on the exchange alone; what the trace rules say may come later, and goes into the verdict of all. */
  add(exchange: Exchange, known: Known = {}): ExchangeVerdict {
    const span = this.#turns.spanOf(exchange);
    const judged = this.#judge(exchange, known, span);
    this.#turns.take(exchange, span, () => this.#follow(judged));
    return judged.verdict;
  }

  /** Takes an exchange whose verdict nobody waits for: of many that wait for their turn, only the texts are kept. */
  addRecorded(exchange: Exchange): void {
    const span = this.#turns.spanOf(exchange);
    this.#turns.take(exchange, span, () => this.#follow(this.#judgeRecorded(exchange, span)));
  }

  /** Says what can be said of what is over. Only where exchanges come one by one, since then nothing is under way. */
  settle(): void {
    this.#take(this.#trace.end());
  }

  /** Says what is left to say. Exchanges that come later are another trace. */
  end(): void {
    this.#turns.end();
    this.#take(this.#trace.end());
    this.#verdict.addTraceCoverage(this.#trace.coverage());
  }

  #judge(exchange: Exchange, known: Known, span: Span | undefined): Judged {
    const { spec, areNeighboursJudged } = this.#settings;
    const route = routeOf(spec, exchange);
    const surroundings = { known, span, createdEvents: this.#createdEvents };
    const followed = route ?? unlistedChange(exchange);
    const judged = followed === undefined ? undefined : readExchange(spec, followed, exchange, surroundings);
    const isWanted = route !== undefined && (!route.operation.isNeighbour || areNeighboursJudged);
    const isJudged = judged !== undefined && isWanted;
    const verdict = isJudged ? verdictOn(judged, this.#measure) : outside(exchange);
    this.#verdict.add(verdict);
    return { judged, verdict, standing: isJudged ? { outcome: outcomeOf(verdict) } : undefined };
  }

  #judgeRecorded(exchange: Exchange, span: Span | undefined): Judged {
    return this.#equal.outcomeOf(
      exchange,
      () => this.#judge(exchange, {}, span),
      (before) => this.#judgeAgain(before, exchange, span),
    );
  }

  /** The verdict shows the first of equal exchanges, so that the others need only be counted. */
  #judgeAgain({ judged, verdict, standing }: Judged, exchange: Exchange, span: Span | undefined): Judged {
    this.#verdict.add(verdict);
    return {
      judged: judged === undefined ? undefined : { ...judged, exchange, span },
      verdict,
      standing: standing === undefined ? undefined : { outcome: outcomeOf(verdict) },
    };
  }

  #follow({ judged, standing }: Judged): void {
    if (judged !== undefined) this.#take(this.#trace.add(judged, standing));
  }

  #take(looks: readonly TraceLook<Standing | undefined>[]): void {
    for (const { rule, judged, look, tag } of looks) {
      if (tag === undefined) continue;
      if (look.type === "unknown") this.#verdict.addSilence(rule.id, look.why);
      else {
        const result =
          look.type === "failed"
            ? faultResult(rule, judged, look.error)
            : this.#traceResult(rule, judged, look.findings);
        this.#verdict.addResult(judged, result, tag.outcome);
        this.#settings.onResult?.(judged.exchange, result);
        tag.outcome = worstOf([tag.outcome, result.outcome]);
      }
    }
  }

  #traceResult(rule: TraceRule, judged: JudgedExchange, findings: readonly Finding[]): RuleResult {
    const isCertain = this.#settings.isAlone || !rule.assumesQuiet;
    return resultOf(rule, isCertain ? rule.severity : "warning", judged, this.#measure, findings);
  }
}

/** The verdict on one exchange by the rules that need no other. */
export function judge(spec: Spec, level: Level, exchange: Exchange, known: Known = {}): ExchangeVerdict {
  const route = routeOf(spec, exchange);
  if (route === undefined) return outside(exchange);
  const measure = { level, knownDivergences: createDivergenceMatch(spec.divergences) };
  const surroundings = { known, span: undefined, createdEvents: new CreatedEvents() };
  return verdictOn(readExchange(spec, route, exchange, surroundings), measure);
}

function verdictOn(judged: JudgedExchange, measure: Measure): ExchangeVerdict {
  const results: RuleResult[] = [];
  for (const { rule, kept } of exchangeRules(judged.operation.operationId)) {
    try {
      if (!rule.appliesTo(judged)) continue;
      const findings = rule.check(judged);
      results.push(findings.length === 0 ? kept : resultOf(rule, rule.severity, judged, measure, findings));
    } catch (error) {
      results.push(faultResult(rule, judged, error));
    }
  }
  return { type: "judged", operationId: judged.operation.operationId, status: judged.status, results };
}

function outside({ request }: Exchange): ExchangeVerdict {
  return { type: "outside", method: request.method, path: documentedPath(request.target) };
}

/** The worst that the rules say of an exchange. */
export function outcomeOf(verdict: ExchangeVerdict): Outcome {
  return verdict.type === "outside" ? "PASS" : worstIn(verdict.results);
}

const worst: readonly Outcome[] = ["FAIL", "WARN", "KNOWN", "PASS"];

/** The worst of several outcomes; PASS where there are none. */
function worstOf(outcomes: readonly Outcome[]): Outcome {
  return worst.find((candidate) => outcomes.includes(candidate)) ?? "PASS";
}

function worstIn(parts: readonly { readonly outcome: Outcome }[]): Outcome {
  let place = worst.length - 1;
  for (const { outcome } of parts) place = Math.min(place, worst.indexOf(outcome));
  return worst[place] ?? "PASS";
}

/** Findings of one rule in one exchange: a list may be wrong in every one of its entries. */
const findingsMax = 50;

/** Most rules are kept by most exchanges, so they share the result. */
function keptBy({ id }: Rule): RuleResult {
  return { rule: id, outcome: "PASS", violations: [] };
}

function resultOf(
  rule: Rule,
  severity: Rule["severity"],
  judged: JudgedExchange,
  { level, knownDivergences, probe }: Measure,
  findings: readonly Finding[],
): RuleResult {
  if (findings.length === 0) return keptBy(rule);
  const divergenceOf = knownDivergences(rule.id, judged);
  const violations = findings.slice(0, findingsMax).map((finding) => {
    const known = divergenceOf(finding);
    const outcome = known !== undefined && level === "release" ? "KNOWN" : severity === "warning" ? "WARN" : "FAIL";
    const { operation, status, exchange, known: given } = judged;
    // Written out, since a target that diverges does so often, and copying by spread takes several times as long.
    return {
      rule: rule.id,
      section: rule.section,
      operationId: operation.operationId,
      status,
      outcome,
      divergence: known?.id,
      exchange,
      expected: finding.expected,
      actual: finding.actual,
      pointer: finding.pointer,
      keyword: finding.keyword,
      value: finding.value,
      token: given.token,
      probe,
    } as const;
  });
  return { rule: rule.id, outcome: worstIn(violations), violations };
}
