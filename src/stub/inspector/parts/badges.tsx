import type { TrafficLine } from "./control-api.ts";
import type { ExchangeProblem, Severity } from "./problems.ts";
import { RuleLink } from "./rule-link.tsx";
import "./badges.css";

type Outcome = TrafficLine["outcome"];

/** Symbols that distinguish outcomes without colour. */
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
      <span aria-hidden="true">{symbols[outcome]}</span> <span class="outcome-word">{outcome}</span>
    </span>
  );
}

/** Marks a response that the plan decided. */
export function FaultBadge() {
  return (
    <span class="badge badge-fault" title={meanings.PLANNED}>
      fault
    </span>
  );
}

/** Shows the severity of a problem as a symbol and a word. */
export function SeverityBadge({ severity }: { readonly severity: Severity }) {
  return (
    <span class={`outcome outcome-${severity === "error" ? "fail" : "warn"}`}>
      <SeveritySymbol severity={severity} /> {severity}
    </span>
  );
}

function SeveritySymbol({ severity }: { readonly severity: Severity }) {
  return <span aria-hidden="true">{severity === "error" ? symbols.FAIL : symbols.WARN}</span>;
}

/** Whose problem it is: of the client, or of what responds. */
export function SideBadge({ of }: Pick<ExchangeProblem, "of">) {
  return <span class={`badge badge-${of}`}>{of}</span>;
}

/** The name of a problem after its badge and a symbol; the name of a rule shows its text. */
export function ProblemName({ problem }: { readonly problem: ExchangeProblem }) {
  const { name, severity, of, isRule } = problem;
  return (
    <span class="problem-name">
      <SideBadge of={of} />{" "}
      <span class={`outcome outcome-${severity === "error" ? "fail" : "warn"}`}>
        <SeveritySymbol severity={severity} />
        <span class="unseen">{severity}:</span>
      </span>{" "}
      {isRule ? <RuleLink id={name} /> : name}
    </span>
  );
}
