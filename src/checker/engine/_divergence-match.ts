import { isSameJson, type Json } from "../../foundation/json/json.ts";
import type { Divergence } from "../../foundation/spec/contracts.ts";
import { escapePattern } from "../../foundation/text/escape-pattern.ts";
import type { CheckedExchange, Finding } from "../rules/rule.ts";

/** Finds the known divergence that matches a finding of a rule in an exchange. */
export type KnownDivergences = (rule: string, checked: CheckedExchange) => (finding: Finding) => Divergence | undefined;

interface Candidate {
  readonly divergence: Divergence;
  readonly pointer: RegExp | undefined;
  readonly hasValue: boolean;
}

/** Indexes the divergences of a profile by rule; a diverging target repeats its findings in every response. */
export function createDivergenceMatch(divergences: readonly Divergence[]): KnownDivergences {
  const byRule = Map.groupBy(divergences.map(candidateOf), ({ divergence }) => divergence.rule);
  return (rule, checked) => {
    const candidates = byRule.get(rule)?.filter(({ divergence }) => concerns(divergence, checked)) ?? [];
    return (finding) => candidates.find((candidate) => isMatch(candidate, finding))?.divergence;
  };
}

function candidateOf(divergence: Divergence): Candidate {
  const { match } = divergence;
  return {
    divergence,
    pointer: match.pointer === undefined ? undefined : globExpression(match.pointer),
    hasValue: Object.hasOwn(match, "value"),
  };
}

/** `*` matches every operation of the divergence's own API. */
function concerns({ api, operations, match }: Divergence, { operation, status, mediaType }: CheckedExchange): boolean {
  if (match.status !== undefined && !match.status.includes(status)) return false;
  if (match.mediaType !== undefined && match.mediaType !== mediaType) return false;
  if (operations.includes(operation.operationId)) return true;
  return operation.api === api && operations.includes("*");
}

function isMatch({ divergence: { match }, pointer, hasValue }: Candidate, finding: Finding): boolean {
  if (match.keyword !== undefined && match.keyword !== finding.keyword) return false;
  if (match.valueType !== undefined && match.valueType !== typeOf(finding.value)) return false;
  if (hasValue && match.value !== finding.value && !isSameJson(match.value, finding.value)) return false;
  return pointer === undefined || pointer.test(finding.pointer);
}

function typeOf(value: Json | undefined): string {
  return Array.isArray(value) ? "array" : typeof value;
}

/** `*` matches any text within a segment, `**` any number of segments. */
export function globExpression(glob: string): RegExp {
  const [first = "", ...rest] = glob.split("/");
  const parts = rest.map((segment) => (segment === "**" ? "(?:/[^/]*)*" : `/${segmentPattern(segment)}`));
  return new RegExp(`^${segmentPattern(first)}${parts.join("")}$`);
}

function segmentPattern(segment: string): string {
  return segment.split("*").map(escapePattern).join("[^/]*");
}
