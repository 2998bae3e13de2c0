import type { TrafficLine } from "../parts/control-api.ts";
import type { Severity } from "../parts/problems.ts";
import "./outcome-badge.css";

export type Outcome = TrafficLine["outcome"];

const symbols: Readonly<Record<Outcome, string>> = {
  PASS: "✓",
  WARN: "!",
  KNOWN: "≈",
  FAIL: "✗",
  PLANNED: "◇",
  UNSUPPORTED: "–",
};
const meanings: Readonly<Record<Outcome, string>> = {
  PASS: "all applicable rules passed",
  WARN: "a rule reported a warning",
  KNOWN: "known divergence of this release",
  FAIL: "a rule is broken",
  PLANNED: "injected fault: the plan decided this response, so it is not checked",
  UNSUPPORTED: "unsupported: the spec has no such operation",
};

/** Shows an outcome as a symbol and a word. */
export function OutcomeBadge({ outcome }: { readonly outcome: Outcome }) {
  return (
    <span class={`outcome outcome-${outcome.toLowerCase()}`} title={meanings[outcome]}>
      <span aria-hidden="true">{symbols[outcome]}</span> {outcome === "PLANNED" ? "fault" : outcome}
    </span>
  );
}

/** Shows the severity of a problem as a symbol and a word. */
export function SeverityBadge({ severity }: { readonly severity: Severity }) {
  const isError = severity === "error";
  return (
    <span class={`outcome outcome-${isError ? "fail" : "warn"}`}>
      <span aria-hidden="true">{isError ? symbols.FAIL : symbols.WARN}</span> {severity}
    </span>
  );
}
