import type { TrafficLine } from "../parts/control-api.ts";
import { problemsOf, type Severity, type Sides, worstOf } from "../parts/problems.ts";

/** Classification of an exchange by status. Each kind has its own lane and shape. */
export type Kind = (typeof kinds)[number]["kind"];

export const kinds = [
  { kind: "fine", title: "Succeeded" },
  { kind: "conflict", title: "409 Conflict" },
  { kind: "refused", title: "Refused (other 4xx)" },
  { kind: "failed", title: "Failed (5xx or incomplete)" },
] as const;

/** Exchanges of one kind that are close in time and drawn as one mark. */
export interface TimelineMark {
  readonly kind: Kind;
  readonly fromMs: number;
  readonly untilMs: number;
  readonly count: number;
  /** The number of the first of them. */
  readonly first: number;
  /** The worst problem of these exchanges; undefined without one. */
  readonly worst: Severity | undefined;
}

export function kindOf({ status }: Pick<TrafficLine, "status">): Kind {
  if (status === null || status >= 500) return "failed";
  if (status === 409) return "conflict";
  return status >= 400 ? "refused" : "fine";
}

/** The virtual time of each line, in milliseconds. Equal consecutive timestamps, as under a frozen clock, are parsed once. */
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

/** Groups lines into marks. Marks of one kind start more than `nearMs` apart. */
export function marksOf(
  lines: readonly TrafficLine[],
  times: Float64Array,
  nearMs: number,
  sides: Sides,
): readonly TimelineMark[] {
  const open = new Map<Kind, MutableMark>();
  const marks: MutableMark[] = [];
  lines.forEach((line, index) => {
    const [kind, ms] = [kindOf(line), times[index] ?? 0];
    const worst = worstOf(problemsOf(line, sides));
    const last = open.get(kind);
    if (last !== undefined && ms - last.fromMs <= nearMs) grow(last, worst, ms);
    else {
      const mark = { kind, fromMs: ms, untilMs: ms, count: 1, first: line.number, worst };
      open.set(kind, mark);
      marks.push(mark);
    }
  });
  return marks;
}

type MutableMark = { -readonly [Member in keyof TimelineMark]: TimelineMark[Member] };

/** Adds a line to a mark in place, since there may be many lines. */
function grow(mark: MutableMark, worst: Severity | undefined, ms: number): void {
  mark.count += 1;
  mark.untilMs = Math.max(mark.untilMs, ms);
  mark.worst = worst === "error" ? worst : (mark.worst ?? worst);
}

/** The lines of a mark, including later lines in its time span. */
export function linesOf(
  { kind, fromMs, untilMs }: Pick<TimelineMark, "kind" | "fromMs" | "untilMs">,
  lines: readonly TrafficLine[],
  times: Float64Array,
): readonly TrafficLine[] {
  return lines.filter((line, index) => {
    const ms = times[index] ?? 0;
    return ms >= fromMs && ms <= untilMs && kindOf(line) === kind;
  });
}
