import type { Divergence } from "../spec/contracts.ts";
import type { Finding, JudgedExchange } from "./rule.ts";

/** The known divergence that a finding of a rule is; undefined where it is none. */
export function knownDivergence(
  divergences: readonly Divergence[],
  rule: string,
  judged: JudgedExchange,
  finding: Finding,
): Divergence | undefined {
  return divergences.find(
    (divergence) => divergence.rule === rule && concerns(divergence, judged) && isMatch(divergence, judged, finding),
  );
}

/** `*` stands for every operation of the divergence's own API. */
function concerns({ api, operations }: Divergence, { operation }: JudgedExchange): boolean {
  if (operations.includes(operation.operationId)) return true;
  return operations.includes("*") && operation.api === api;
}

function isMatch({ match }: Divergence, { status, mediaType }: JudgedExchange, finding: Finding): boolean {
  if (match.status !== undefined && !match.status.includes(status)) return false;
  if (match.mediaType !== undefined && match.mediaType !== mediaType) return false;
  if (match.keyword !== undefined && match.keyword !== finding.keyword) return false;
  if (match.pointer !== undefined && !isGlobMatch(match.pointer.split("/"), finding.pointer.split("/"))) return false;
  return !Object.hasOwn(match, "value") || JSON.stringify(match.value) === JSON.stringify(finding.value);
}

/** `*` stands for any text within a segment, `**` for any number of segments. */
export function isGlobMatch(pattern: readonly string[], segments: readonly string[]): boolean {
  const [head, ...rest] = pattern;
  if (head === undefined) return segments.length === 0;
  if (head === "**")
    return segments.some((_, index) => isGlobMatch(rest, segments.slice(index))) || isGlobMatch(rest, []);
  const [segment, ...others] = segments;
  return segment !== undefined && isSegmentMatch(head, segment) && isGlobMatch(rest, others);
}

function isSegmentMatch(pattern: string, segment: string): boolean {
  const parts = pattern.split("*");
  const [first = "", last = ""] = [parts[0], parts.at(-1)];
  if (parts.length === 1) return pattern === segment;
  return segment.length >= first.length + last.length && segment.startsWith(first) && segment.endsWith(last);
}
