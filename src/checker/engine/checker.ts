import type { Exchange } from "../../foundation/http/exchange.ts";
import type { Spec } from "../../foundation/spec/spec.ts";
import { CreatedEvents } from "../rules/created-events.ts";
import { rules } from "../rules/index.ts";
import { readExchange, routeOf } from "../rules/read-exchange.ts";
import type { Finding, JudgedExchange, Known, TokenWorth, TraceRule } from "../rules/rule.ts";
import { type Examined, Examiner } from "./check-exchange.ts";
import { bytesOf, type Order, Turns } from "./exchange-queue.ts";
import { createMeasure, type Measure, outside, resultOf, verdictOn, worstOf } from "./exchange-verdict.ts";
import { faultResult } from "./rule-fault.ts";
import { Trace, type TraceLook } from "./trace.ts";
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
  /** Whether all exchanges are of one world, however they name it; otherwise those that name different ones are told apart. */
  readonly isOneWorld?: boolean;
  /** The probe that the exchanges are of. */
  readonly probe?: string;
  /** Told what a trace rule says of an exchange that was added before. */
  readonly onResult?: (exchange: Exchange, result: RuleResult) => void;
}

/** The worst that was said of an exchange so far. */
interface Standing {
  outcome: Outcome;
}

const traceRules = rules.filter((rule) => rule.type === "trace");

/** Judges exchanges, each for itself and all in their order of time, into a verdict. It does not know who answered. */
export class Judge {
  readonly #settings: JudgeSettings;
  readonly #measure: Measure;
  readonly #verdict: Verdict;
  readonly #trace: Trace<Standing | undefined>;
  readonly #turns: Turns;
  readonly #examiner: Examiner;

  constructor(settings: JudgeSettings, verdict: Verdict) {
    this.#settings = settings;
    this.#trace = new Trace(traceRules, settings.isOneWorld === true ? ({ operation }) => operation.api : undefined);
    this.#turns = new Turns(settings.order);
    this.#measure = createMeasure(settings);
    this.#examiner = new Examiner(settings, this.#measure);
    this.#verdict = verdict;
  }

  /** The verdict on the exchange alone; what the trace rules say may come later, and goes into the verdict of all. */
  add(exchange: Exchange, known: Known = {}): ExchangeVerdict {
    const span = this.#turns.spanOf(exchange);
    const examined = this.#examiner.examine(exchange, known, span);
    const standing = this.#count(examined);
    this.#turns.take(span, bytesOf(exchange), () => this.#follow(examined, standing));
    return examined.verdict;
  }

  /** Takes an exchange whose verdict nobody waits for: of many that wait for their turn, only the texts are kept. */
  addRecorded(exchange: Exchange): void {
    const span = this.#turns.spanOf(exchange);
    this.#turns.take(span, bytesOf(exchange), () => {
      const examined = this.#examiner.examineRecorded(exchange, span);
      this.#follow(examined, this.#count(examined));
    });
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

  #count({ verdict }: Examined): Standing | undefined {
    const outcome = this.#verdict.add(verdict);
    return outcome === undefined ? undefined : { outcome };
  }

  #follow({ judged }: Examined, standing: Standing | undefined): void {
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
  const surroundings = { known, span: undefined, createdEvents: new CreatedEvents() };
  return verdictOn(readExchange(spec, route, exchange, surroundings), createMeasure({ spec, level }));
}
