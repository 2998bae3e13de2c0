import type { Divergence } from "../spec/contracts.ts";
import type { Finding, JudgedExchange } from "./rule.ts";

/** The known divergence that a finding of a rule is; undefined where it is none. */
export type KnownDivergence = (rule: string, judged: JudgedExchange, finding: Finding) => Divergence | undefined;

interface Candidate {
  readonly divergence: Divergence;
  readonly pointer: RegExp | undefined;
  /** As JSON; undefined where the value does not matter. */
  readonly value: string | undefined;
}

/** Prepares the divergences of a profile: a target that diverges does so in every answer. */
export function createDivergenceMatch(divergences: readonly Divergence[]): KnownDivergence {
  const byRule = Map.groupBy(divergences.map(candidateOf), ({ divergence }) => divergence.rule);
  return (rule, judged, finding) =>
    byRule.get(rule)?.find((candidate) => concerns(candidate.divergence, judged) && isMatch(candidate, judged, finding))
      ?.divergence;
}

function candidateOf(divergence: Divergence): Candidate {
  const { match } = divergence;
  return {
    divergence,
    pointer: match.pointer === undefined ? undefined : globExpression(match.pointer),
    value: Object.hasOwn(match, "value") ? JSON.stringify(match.value) : undefined,
  };
}

/** `*` stands for every operation of the divergence's own API. */
function concerns({ api, operations }: Divergence, { operation }: JudgedExchange): boolean {
  if (operations.includes(operation.operationId)) return true;
  return operation.api === api && operations.includes("*");
}

function isMatch(
  { divergence: { match }, pointer, value }: Candidate,
  { status, mediaType }: JudgedExchange,
  finding: Finding,
): boolean {
  if (match.status !== undefined && !match.status.includes(status)) return false;
  if (match.mediaType !== undefined && match.mediaType !== mediaType) return false;
  if (match.keyword !== undefined && match.keyword !== finding.keyword) return false;
  if (pointer !== undefined && !pointer.test(finding.pointer)) return false;
  return value === undefined || value === JSON.stringify(finding.value);
}

/** `*` stands for any text within a segment, `**` for any number of segments. */
export function globExpression(glob: string): RegExp {
  const [first = "", ...rest] = glob.split("/");
  const parts = rest.map((segment) => (segment === "**" ? "(?:/[^/]*)*" : `/${segmentPattern(segment)}`));
  return new RegExp(`^${segmentPattern(first)}${parts.join("")}$`);
}

function segmentPattern(segment: string): string {
  const literals = segment.split("*").map((literal) => literal.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&"));
  return literals.join("[^/]*");
}
