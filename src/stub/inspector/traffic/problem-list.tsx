import { ProblemName } from "../parts/badges.tsx";
import type { ProblemKind } from "../parts/problems.ts";
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
            <span class="problem-operation">{kind.operation}</span>
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
