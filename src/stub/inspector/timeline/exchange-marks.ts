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
  /** The mark of one exchange beside those of the same time and kind: the number of the first of them. */
  readonly besides?: number;
}

/** A mark with its horizontal position. */
export interface PlacedMark {
  readonly mark: TimelineMark;
  readonly x: number;
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

/** Most exchanges of one time that have a mark each. */
const spreadMax = 12;
/** Width of a mark with its space. */
export const markPx = 26;

/** Places the marks of one kind. Few exchanges of one time have a mark each, side by side, if there is room. */
export function placedMarks(
  marks: readonly TimelineMark[],
  { place, width }: { readonly place: (ms: number) => number; readonly width: number },
  singlesOf: (mark: TimelineMark) => readonly TimelineMark[],
): readonly PlacedMark[] {
  const middleOf = ({ fromMs, untilMs }: TimelineMark) => place((fromMs + untilMs) / 2);
  let left = 0;
  return marks.flatMap((mark, index) => {
    const [middle, next] = [middleOf(mark), marks[index + 1]];
    const right = next === undefined ? width : middleOf(next) - markPx / 2;
    const wanted = mark.count * markPx;
    const isVisible = middle >= 0 && middle <= width;
    if (mark.count === 1 || mark.count > spreadMax || !isVisible || wanted > right - left) {
      left = middle + markPx / 2;
      return [{ mark, x: middle }];
    }
    const start = Math.min(Math.max(middle - wanted / 2, left), right - wanted);
    left = start + wanted;
    return singlesOf(mark).map((single, position) => ({ mark: single, x: start + (position + 0.5) * markPx }));
  });
}

/** A mark for each exchange of a mark. */
export function singlesOf(
  mark: TimelineMark,
  lines: readonly TrafficLine[],
  times: Float64Array,
  sides: Sides,
): readonly TimelineMark[] {
  return linesOf(mark, lines, times).map((line) => {
    const ms = Date.parse(line.virtualAt);
    const worst = worstOf(problemsOf(line, sides));
    return { kind: mark.kind, fromMs: ms, untilMs: ms, count: 1, first: line.number, worst, besides: mark.first };
  });
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
  { kind, fromMs, untilMs, first, besides }: TimelineMark,
  lines: readonly TrafficLine[],
  times: Float64Array,
): readonly TrafficLine[] {
  return lines.filter((line, index) => {
    const ms = times[index] ?? 0;
    if (besides !== undefined) return line.number === first;
    return ms >= fromMs && ms <= untilMs && kindOf(line) === kind;
  });
}
