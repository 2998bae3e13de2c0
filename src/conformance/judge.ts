import type { Exchange } from "../http/exchange.ts";
import { mediaType } from "../http/header.ts";
import { type Json, parseJson } from "../http/json.ts";
import type { Request } from "../http/request.ts";
import type { Spec } from "../spec/spec.ts";
import { knownDivergence } from "./_divergence-match.ts";
import { curlLine } from "./curl-line.ts";
import type { Finding, JudgedExchange, Rule } from "./rule.ts";
import { rules } from "./rules/index.ts";

/** `document` is the letter: known divergences fail. `release` shows them and lets them pass. */
export type Level = "document" | "release";

export type Outcome = "PASS" | "WARN" | "KNOWN" | "FAIL";

/** A broken rule with everything needed to see it again; the curl line leaves the token out. */
export interface Violation extends Finding {
  readonly rule: string;
  readonly section: string;
  readonly operationId: string;
  readonly status: number;
  readonly outcome: Outcome;
  readonly divergence: string | undefined;
  readonly curl: string;
}

export interface RuleResult {
  readonly rule: string;
  readonly outcome: Outcome;
  readonly violations: readonly Violation[];
}

export type ExchangeVerdict =
  | {
      readonly type: "judged";
      readonly operationId: string;
      readonly status: number;
      readonly results: readonly RuleResult[];
    }
  | { readonly type: "outside"; readonly method: string; readonly path: string }
  | { readonly type: "broken"; readonly operationId: string; readonly kind: string };

/** Judges single exchanges against the contract in a profile. It does not know who answered. */
export function judge(spec: Spec, level: Level, exchange: Exchange): ExchangeVerdict {
  const { request, answer } = exchange;
  const path = documentedPath(request.target);
  const route = spec.route(request.method, path);
  if (route.type !== "found") return { type: "outside", method: request.method, path };
  const { operation } = route;
  if (answer.type === "broken") return { type: "broken", operationId: operation.operationId, kind: answer.kind };
  const responseText = new TextDecoder().decode(answer.body);
  const judged: JudgedExchange = {
    exchange,
    spec,
    operation,
    status: answer.status,
    mediaType: mediaType(answer.headers),
    responseText,
    responseJson: jsonOf(responseText),
    requestJson: jsonOf(new TextDecoder().decode(request.body)),
  };
  const results = rules.filter((rule) => rule.appliesTo(judged)).map((rule) => resultOf(rule, judged, level));
  return { type: "judged", operationId: operation.operationId, status: answer.status, results };
}

const worst: readonly Outcome[] = ["FAIL", "KNOWN", "WARN", "PASS"];

function resultOf(rule: Rule, judged: JudgedExchange, level: Level): RuleResult {
  const violations = rule.check(judged).map((finding) => violationOf(rule, judged, level, finding));
  const outcome = worst.find((candidate) => violations.some((violation) => violation.outcome === candidate)) ?? "PASS";
  return { rule: rule.id, outcome, violations };
}

function violationOf(rule: Rule, judged: JudgedExchange, level: Level, finding: Finding): Violation {
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
    curl: curlLine(exchange.request),
  };
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
