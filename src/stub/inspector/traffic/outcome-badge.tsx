import type { TrafficLine } from "../parts/control-api.ts";
import "./outcome-badge.css";

export type Outcome = TrafficLine["outcome"];

const signs: Readonly<Record<Outcome, string>> = { PASS: "✓", WARN: "!", KNOWN: "≈", FAIL: "✗", OUTSIDE: "–" };
const meanings: Readonly<Record<Outcome, string>> = {
  PASS: "every rule that applies is kept",
  WARN: "a rule warns",
  KNOWN: "it breaks a rule in a way that this release is known for",
  FAIL: "it breaks a rule",
  OUTSIDE: "no operation of the contract: no rule applies",
};

/** What the rules say, as a sign and a word. */
export function OutcomeBadge({ outcome }: { readonly outcome: Outcome }) {
  return (
    <span class={`outcome outcome-${outcome.toLowerCase()}`} title={meanings[outcome]}>
      <span aria-hidden="true">{signs[outcome]}</span> {outcome}
    </span>
  );
}
