import type { TrafficLine } from "../parts/control-api.ts";

/** How an exchange ended, at a glance: each kind has a lane and a shape of its own. */
export type Kind = (typeof kinds)[number]["kind"];

export const kinds = [
  { kind: "fine", title: "Answered" },
  { kind: "conflict", title: "409 Conflict" },
  { kind: "refused", title: "Refused (other 4xx)" },
  { kind: "failed", title: "Failed (5xx, broken off)" },
] as const;

export type Outcome = TrafficLine["outcome"];

const badness: Readonly<Record<Outcome, number>> = { OUTSIDE: 0, PASS: 1, KNOWN: 2, WARN: 3, FAIL: 4 };

/** Exchanges of one kind that stand so close together that they are drawn as one. */
export interface Mark {
  readonly kind: Kind;
  readonly fromMs: number;
  readonly untilMs: number;
  readonly count: number;
  /** The number of the first of them. */
  readonly first: number;
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
  const open = new Map<Kind, Growing>();
  const marks: Growing[] = [];
  lines.forEach((line, index) => {
    const [kind, ms] = [kindOf(line), times[index] ?? 0];
    const last = open.get(kind);
    if (last !== undefined && ms - last.fromMs <= nearMs) grow(last, line, ms);
    else {
      const mark = { kind, fromMs: ms, untilMs: ms, count: 1, first: line.number, outcome: line.outcome };
      open.set(kind, mark);
      marks.push(mark);
    }
  });
  return marks;
}

type Growing = { -readonly [Member in keyof Mark]: Mark[Member] };

/** In place: there are as many lines as there is traffic. */
function grow(mark: Growing, { outcome }: TrafficLine, ms: number): void {
  mark.count += 1;
  mark.untilMs = Math.max(mark.untilMs, ms);
  if (badness[outcome] > badness[mark.outcome]) mark.outcome = outcome;
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
