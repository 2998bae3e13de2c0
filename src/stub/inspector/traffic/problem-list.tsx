import type { ProblemKind } from "../parts/problems.ts";
import { SeverityBadge } from "./outcome-badge.tsx";
import "./problem-list.css";

interface ProblemListProps {
  readonly kinds: readonly ProblemKind[];
  readonly select: (number: number) => void;
}

/** The kinds of problem so far, each with a button that opens its newest exchange. */
export function ProblemList({ kinds, select }: ProblemListProps) {
  if (kinds.length === 0) return null;
  return (
    <details class="problem-list" open>
      <summary>{titleOf(kinds)}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <ul aria-label="Problems" tabIndex={0}>
        {kinds.map(({ severity, name, operation, count, newest }) => (
          <li key={`${severity} ${name} ${operation}`}>
            <SeverityBadge severity={severity} />
            <span class="problem-name">{name}</span>
            <span class="problem-operation">{operation}</span>
            <span class="problem-count">{count === 1 ? "" : `${count.toLocaleString("en")} times`}</span>
            <button type="button" class="link" onClick={() => select(newest)}>
              #{newest}
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
