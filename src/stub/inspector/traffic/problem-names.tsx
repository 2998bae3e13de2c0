import type { TrafficLine } from "../parts/control-api.ts";
import { problemsOf, type Sides, worstOf } from "../parts/problems.ts";
import { OutcomeBadge } from "./outcome-badge.tsx";

/** The names of the problems of an exchange after a symbol for the worst, and whether a fault was injected. */
export function ProblemNames({ line, sides }: { readonly line: TrafficLine; readonly sides: Sides }) {
  const problems = problemsOf(line, sides);
  const worst = worstOf(problems);
  const names = problems.map(({ name }) => name).join(", ");
  return (
    <>
      {line.outcome === "PLANNED" && <OutcomeBadge outcome="PLANNED" />}
      {worst !== undefined && (
        <span class={`problem-${worst}`} title={names}>
          <span aria-hidden="true">{worst === "error" ? "✗" : "!"}</span>
          <span class="unseen">{worst}:</span> {names}
        </span>
      )}
    </>
  );
}
