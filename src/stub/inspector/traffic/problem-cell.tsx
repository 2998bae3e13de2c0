import { FaultBadge, SideBadge } from "../parts/badges.tsx";
import type { TrafficLine } from "../parts/control-api.ts";
import { problemsOf, type Sides, worstOf } from "../parts/problems.ts";

/** The problems of an exchange in one line: whose they are, the worst severity, and the names. */
export function ProblemCell({ line, sides }: { readonly line: TrafficLine; readonly sides: Sides }) {
  const problems = problemsOf(line, sides);
  const worst = worstOf(problems);
  const names = problems.map(({ name }) => name).join(", ");
  if (worst === undefined) return line.outcome === "PLANNED" ? <FaultBadge /> : null;
  return (
    <>
      {line.outcome === "PLANNED" && <FaultBadge />}{" "}
      {[...new Set(problems.map(({ of }) => of))].map((of) => (
        <SideBadge key={of} of={of} />
      ))}{" "}
      <span class={`problem-${worst}`} title={names}>
        <span aria-hidden="true">{worst === "error" ? "✗" : "!"}</span>
        <span class="unseen">{worst}:</span> {names}
      </span>
    </>
  );
}
