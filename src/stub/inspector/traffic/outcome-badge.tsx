import type { TrafficLine } from "../parts/control-api.ts";
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
  PLANNED: "planned: the plan decided this response, so it is not checked",
  UNSUPPORTED: "unsupported: the spec has no such operation",
};

/** Shows an outcome as a symbol and a word. */
export function OutcomeBadge({ outcome }: { readonly outcome: Outcome }) {
  return (
    <span class={`outcome outcome-${outcome.toLowerCase()}`} title={meanings[outcome]}>
      <span aria-hidden="true">{symbols[outcome]}</span> {outcome}
    </span>
  );
}
