import type { Exchange } from "../http/exchange.ts";
import { mediaType } from "../http/header.ts";
import { type Json, parseJson } from "../http/json.ts";
import type { Request } from "../http/request.ts";
import type { Spec } from "../spec/spec.ts";
import { knownDivergence } from "./_divergence-match.ts";
import type { Finding, JudgedExchange, Known, Rule, TraceRule } from "./rule.ts";
import { rules } from "./rules/index.ts";
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
}

export interface RuleResult {
  readonly rule: string;
  readonly outcome: Outcome;
  readonly violations: readonly Violation[];
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
  /** `one-by-one` where a client waited for each answer, so that their order is certain. */
  readonly order: "by-time" | "one-by-one";
  /** Whether nobody outside the trace used the target meanwhile. */
  readonly isAlone: boolean;
}

const exchangeRules = rules.filter((rule) => rule.type === "exchange");
const traceRules = rules.filter((rule) => rule.type === "trace");

/** Judges exchanges, each for itself and all in their order of time, into a verdict. It does not know who answered. */
export class Judge {
  readonly #settings: JudgeSettings;
  readonly #verdict: Verdict;
  readonly #trace: Trace<Outcome | undefined>;

  constructor(settings: JudgeSettings, verdict: Verdict) {
    this.#settings = settings;
    this.#verdict = verdict;
    this.#trace = new Trace(traceRules, settings.order);
  }

  /** The verdict on the exchange alone; what the trace rules say may come later, and goes into the verdict of all. */
  add(exchange: Exchange, known: Known = {}): ExchangeVerdict {
    const judged = readExchange(this.#settings.spec, exchange, known);
    const isJudged = judged !== undefined && (!judged.operation.isNeighbour || this.#settings.areNeighboursJudged);
    const verdict = isJudged ? verdictOn(judged, this.#settings.level) : outside(exchange);
    this.#verdict.add(verdict);
    if (judged !== undefined) this.#take(this.#trace.add(judged, isJudged ? outcomeOf(verdict) : undefined));
    return verdict;
  }

  /** Says what is left to say. Exchanges that come later are another trace. */
  end(): void {
    this.#take(this.#trace.end());
    this.#verdict.addTraceCoverage(this.#trace.coverage());
  }

  /** An exchange that is not judged itself is only what others are judged by. */
  #take(looks: readonly TraceLook<Outcome | undefined>[]): void {
    for (const { rule, judged, look, tag } of looks) {
      if (look.type === "not-concerned" || tag === undefined) continue;
      if (look.type === "unknown") this.#verdict.addSilence(rule.id, look.why);
      else this.#verdict.addResult(judged, this.#traceResult(rule, judged, look.findings), tag);
    }
  }

  #traceResult(rule: TraceRule, judged: JudgedExchange, findings: readonly Finding[]): RuleResult {
    const { level, isAlone } = this.#settings;
    const isCertain = isAlone || !rule.assumesQuiet;
    return resultOf({ ...rule, severity: isCertain ? rule.severity : "warning" }, judged, level, findings);
  }
}

/** The verdict on one exchange by the rules that need no other. */
export function judge(spec: Spec, level: Level, exchange: Exchange, known: Known = {}): ExchangeVerdict {
  const judged = readExchange(spec, exchange, known);
  return judged === undefined ? outside(exchange) : verdictOn(judged, level);
}

function verdictOn(judged: JudgedExchange, level: Level): ExchangeVerdict {
  const results = exchangeRules
    .filter((rule) => rule.appliesTo(judged))
    .map((rule) => resultOf(rule, judged, level, rule.check(judged)));
  return { type: "judged", operationId: judged.operation.operationId, status: judged.status, results };
}

function outside({ request }: Exchange): ExchangeVerdict {
  return { type: "outside", method: request.method, path: documentedPath(request.target) };
}

/** The worst that the rules say of an exchange. */
export function outcomeOf(verdict: ExchangeVerdict): Outcome {
  return verdict.type === "outside" ? "PASS" : worstOf(verdict.results.map(({ outcome }) => outcome));
}

const worst: readonly Outcome[] = ["FAIL", "WARN", "KNOWN", "PASS"];

/** The worst of several outcomes; PASS where there are none. */
export function worstOf(outcomes: readonly Outcome[]): Outcome {
  return worst.find((candidate) => outcomes.includes(candidate)) ?? "PASS";
}

function resultOf(
  rule: Pick<Rule, "id" | "section" | "severity">,
  judged: JudgedExchange,
  level: Level,
  findings: readonly Finding[],
): RuleResult {
  const violations = findings.map((finding) => violationOf(rule, judged, level, finding));
  return { rule: rule.id, outcome: worstOf(violations.map(({ outcome }) => outcome)), violations };
}

function violationOf(
  rule: Pick<Rule, "id" | "section" | "severity">,
  judged: JudgedExchange,
  level: Level,
  finding: Finding,
): Violation {
  const known = knownDivergence(judged.spec.divergences, rule.id, judged, finding);
  const isShownOnly = known !== undefined && level === "release";
  const outcome = isShownOnly ? "KNOWN" : rule.severity === "warning" ? "WARN" : "FAIL";
  const { operation, status, exchange } = judged;
  return {
    ...finding,
    rule: rule.id,
    section: rule.section,
    operationId: operation.operationId,
    status,
    outcome,
    divergence: known?.id,
    exchange,
  };
}

/** What rules look at; undefined where the request is of no operation. An answer that did not come whole has status 0. */
export function readExchange(spec: Spec, exchange: Exchange, known: Known): JudgedExchange | undefined {
  const { request, answer } = exchange;
  const route = spec.route(request.method, documentedPath(request.target));
  if (route.type !== "found") return undefined;
  const requestText = textOf(request.body);
  const responseText = answer.type === "response" ? textOf(answer.body) : "";
  return {
    exchange,
    spec,
    operation: route.operation,
    pathParameters: route.pathParameters,
    query: new URLSearchParams(request.target.split("?")[1] ?? ""),
    status: answer.type === "response" ? answer.status : 0,
    mediaType: answer.type === "response" ? mediaType(answer.headers) : undefined,
    responseText,
    responseJson: jsonOf(responseText),
    requestText,
    requestJson: jsonOf(requestText),
    known,
  };
}

const decoder = new TextDecoder();

function textOf(body: Uint8Array): string {
  return body.length === 0 ? "" : decoder.decode(body);
}

/** The path from `/v2/` or `/registry/` on: a node may stand behind a prefix. */
function documentedPath(target: Request["target"]): string {
  const path = target.replace(/^https?:\/\/[^/?]*/i, "").split("?")[0] ?? "";
  const registry = path.search(/\/registry\/(?:transfer-instruction|metadata)\//);
  if (registry >= 0) return path.slice(registry);
  const ledger = path.indexOf("/v2/");
  return ledger >= 0 ? path.slice(ledger) : path;
}

function jsonOf(text: string): Json | undefined {
  try {
    return text === "" ? undefined : parseJson(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
