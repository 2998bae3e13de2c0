import type { TrafficLine } from "./control-api.ts";

/** How an exchange ended, at a glance: each kind has a lane and a shape of its own. */
export type Kind = (typeof kinds)[number]["kind"];

export const kinds = [
  { kind: "fine", title: "Answered" },
  { kind: "conflict", title: "409 Conflict" },
  { kind: "refused", title: "Refused (other 4xx)" },
  { kind: "failed", title: "Failed (5xx, broken off)" },
] as const;

export type Outcome = TrafficLine["outcome"];

/** Worst first. */
const outcomes: readonly Outcome[] = ["FAIL", "WARN", "KNOWN", "PASS", "OUTSIDE"];

/** Exchanges of one kind that stand so close together that they are drawn as one. */
export interface Mark {
  readonly kind: Kind;
  readonly fromMs: number;
  readonly untilMs: number;
  readonly count: number;
  /** The worst that the rules say of any of them. */
  readonly outcome: Outcome;
}

export function kindOf({ status }: Pick<TrafficLine, "status">): Kind {
  if (status === null || status >= 500) return "failed";
  if (status === 409) return "conflict";
  return status >= 400 ? "refused" : "fine";
}

/** When each line came, in virtual time. Under a frozen clock many came at the same moment, which is read once. */
export function timesOf(lines: readonly TrafficLine[]): Float64Array {
  const times = new Float64Array(lines.length);
  let text = "";
  let ms = 0;
  lines.forEach(({ virtualAt }, index) => {
    if (virtualAt !== text) ms = Date.parse(virtualAt);
    text = virtualAt;
    times[index] = ms;
  });
  return times;
}

/** The lines as marks, no two of a kind closer than `nearMs` at their beginnings. */
export function marksOf(lines: readonly TrafficLine[], times: Float64Array, nearMs: number): readonly Mark[] {
  const open = new Map<Kind, Mark>();
  const marks: Mark[] = [];
  lines.forEach((line, index) => {
    const [kind, ms] = [kindOf(line), times[index] ?? 0];
    const last = open.get(kind);
    if (last !== undefined && ms - last.fromMs > nearMs) marks.push(last);
    const isNear = last !== undefined && ms - last.fromMs <= nearMs;
    open.set(kind, isNear ? grown(last, line, ms) : { kind, fromMs: ms, untilMs: ms, count: 1, outcome: line.outcome });
  });
  return [...marks, ...open.values()];
}

function grown(mark: Mark, { outcome }: TrafficLine, ms: number): Mark {
  return {
    ...mark,
    untilMs: Math.max(mark.untilMs, ms),
    count: mark.count + 1,
    outcome: outcomes.indexOf(outcome) < outcomes.indexOf(mark.outcome) ? outcome : mark.outcome,
  };
}

/** The lines behind a mark, and what has come since to the same place. */
export function linesOf(
  { kind, fromMs, untilMs }: Pick<Mark, "kind" | "fromMs" | "untilMs">,
  lines: readonly TrafficLine[],
  times: Float64Array,
): readonly TrafficLine[] {
  return lines.filter((line, index) => {
    const ms = times[index] ?? 0;
    return ms >= fromMs && ms <= untilMs && kindOf(line) === kind;
  });
}
