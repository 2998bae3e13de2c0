import { clockOf, dayOf } from "../parts/date-time.ts";

/** A span of virtual time, in milliseconds. */
export interface TimeSpan {
  readonly fromMs: number;
  readonly untilMs: number;
}

/** Minimum length of a span. */
const spanMsMin = 100;
const spanMsMax = 10_000 * 365 * 86_400_000;

/** The span that contains all timestamps, with a margin on both sides. */
export function spanOf(timesMs: readonly number[]): TimeSpan {
  const from = timesMs.reduce((least, ms) => Math.min(least, ms));
  const until = timesMs.reduce((most, ms) => Math.max(most, ms));
  const roomMs = Math.max((until - from) * 0.06, 1000);
  return { fromMs: from - roomMs, untilMs: until + roomMs };
}

/** `factor` 2 shows twice as much, 0.5 half, around the same middle. */
export function zoomed({ fromMs, untilMs }: TimeSpan, factor: number): TimeSpan {
  const middle = (fromMs + untilMs) / 2;
  const half = Math.min(Math.max((untilMs - fromMs) * factor, spanMsMin), spanMsMax) / 2;
  return { fromMs: middle - half, untilMs: middle + half };
}

/** Moved by a share of what is shown; negative is earlier. */
export function moved({ fromMs, untilMs }: TimeSpan, share: number): TimeSpan {
  const byMs = (untilMs - fromMs) * share;
  return { fromMs: fromMs + byMs, untilMs: untilMs + byMs };
}

/** Maps a timestamp to a horizontal position in a chart of this width. */
export function placeIn({ fromMs, untilMs }: TimeSpan, width: number): (ms: number) => number {
  return (ms) => ((ms - fromMs) / (untilMs - fromMs)) * width;
}

/** Moves positions apart, so that two of them are at least `gap` apart. Order and width are kept. */
export function apart(positions: readonly number[], gap: number, width: number): readonly number[] {
  const order = positions.map((at, index) => ({ at, index })).toSorted((left, right) => left.at - right.at);
  const moved: number[] = [];
  let least = Number.NEGATIVE_INFINITY;
  for (const { at, index } of order) {
    least = Math.max(at, least + gap);
    moved[index] = least;
  }
  let most = Math.max(width - gap / 2, ...positions);
  for (const { index } of order.toReversed()) {
    most = Math.min(moved[index] ?? 0, most);
    moved[index] = most;
    most -= gap;
  }
  return moved;
}

const [second, minute, hour, day] = [1000, 60_000, 3_600_000, 86_400_000];
const stepsMs = [
  ...[20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 15, 30].map((count) => count * second),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * minute),
  ...[1, 2, 6, 12].map((count) => count * hour),
  ...[1, 7, 30, 365, 3650, 36_500].map((count) => count * day),
];

/** Round timestamps for the axis, about `most` of them at most. */
export function ticksOf(
  { fromMs, untilMs }: TimeSpan,
  most: number,
): readonly { readonly ms: number; readonly text: string }[] {
  const stepMs = stepsMs.find((step) => (untilMs - fromMs) / step <= most) ?? 365_000 * day;
  const first = Math.ceil(fromMs / stepMs) * stepMs;
  const count = Math.max(0, Math.floor((untilMs - first) / stepMs) + 1);
  return Array.from({ length: count }, (_, index) => first + index * stepMs).map((ms) => ({
    ms,
    text: ms % day === 0 ? dayOf(ms) : clockOf(ms),
  }));
}
