import { FaultBadge, ProblemName, SideBadge } from "../parts/badges.tsx";
import type { TrafficLine } from "../parts/control-api.ts";
import { MiddleCut } from "../parts/middle-cut.tsx";
import { type ProblemKind, problemsOf, type Sides, worstOf } from "../parts/problems.ts";
import "./problem-list.css";

interface ProblemListProps {
  readonly kinds: readonly ProblemKind[];
  readonly select: (number: number) => void;
}

/** The kinds of problem so far, errors first, each with a button that opens its newest exchange. */
export function ProblemList({ kinds, select }: ProblemListProps) {
  if (kinds.length === 0) return null;
  return (
    <details class="problem-list" open>
      <summary>{titleOf(kinds)}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <ul aria-label="Problems" tabIndex={0}>
        {kinds.map((kind) => (
          <li key={`${kind.severity} ${kind.name} ${kind.operation}`}>
            <ProblemName problem={kind} />
            <span class="problem-operation" title={kind.operation}>
              <MiddleCut text={kind.operation} />
            </span>
            <span class="problem-count">
              {kind.count.toLocaleString("en")} {kind.count === 1 ? "exchange" : "exchanges"}
            </span>
            <button type="button" class="link" onClick={() => select(kind.newest)}>
              <span class="unseen">Newest: </span>#{kind.newest}
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
}

function titleOf(kinds: readonly ProblemKind[]): string {
  const errors = kinds.filter(({ severity }) => severity === "error").length;
  const counted = (count: number, noun: string) => `${count} ${count === 1 ? "kind" : "kinds"} of ${noun}`;
  return [
    ...(errors === 0 ? [] : [counted(errors, "error")]),
    ...(errors === kinds.length ? [] : [counted(kinds.length - errors, "warning")]),
  ].join(", ");
}

/** The problems of an exchange in one line: whose they are, the worst severity, the names, and the reason of a refusal. */
export function ProblemCell({ line, sides }: { readonly line: TrafficLine; readonly sides: Sides }) {
  const problems = problemsOf(line, sides);
  const worst = worstOf(problems);
  const named = problems.filter(({ isRule }) => isRule || line.reason === null).map(({ name }) => name);
  const names = [named.join(", "), line.reason ?? ""].filter((text) => text !== "").join(": ");
  if (names === "") return null;
  if (worst === undefined)
    return (
      <span title={names}>
        {line.outcome === "PLANNED" && <FaultBadge />} {names}
      </span>
    );
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
