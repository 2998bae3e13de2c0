import type { TrafficLine } from "../parts/control-api.ts";

/** Where one stands in the history of a world: before the first exchange, right after one, or now. */
export type PointInTime = "start" | "now" | number;

/** Where one can step to from there; undefined where there is nothing further. */
export interface Steps {
  readonly first: PointInTime | undefined;
  readonly previous: PointInTime | undefined;
  readonly next: PointInTime | undefined;
  readonly last: PointInTime | undefined;
}

/** The numbers of the exchanges that changed something. */
export function changingOf(lines: readonly TrafficLine[]): readonly number[] {
  return lines.filter(({ changes }) => changes > 0).map(({ number }) => number);
}

/** Steps lead from change to change; the first goes back to the start, as the last one goes on to now. */
export function stepsFrom(pointInTime: PointInTime, changing: readonly number[]): Steps {
  const first = changing[0];
  const last = changing.at(-1);
  switch (pointInTime) {
    case "start":
      return { first, previous: undefined, next: first ?? "now", last };
    case "now":
      return { first, previous: last ?? "start", next: undefined, last };
    default:
      return {
        first: first === pointInTime ? undefined : first,
        previous: changing.findLast((number) => number < pointInTime) ?? "start",
        next: changing.find((number) => number > pointInTime) ?? "now",
        last: last === pointInTime ? undefined : last,
      };
  }
}
