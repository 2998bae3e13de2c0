import type { TrafficLine } from "../parts/control-api.ts";

/** A point in the history of a world: before the first exchange, after an exchange, or now. */
export type PointInTime = "start" | "now" | number;

/** Reachable points in time; undefined at the end of that direction. */
export interface Steps {
  readonly first: PointInTime | undefined;
  readonly previous: PointInTime | undefined;
  readonly next: PointInTime | undefined;
  readonly last: PointInTime | undefined;
}

/** Numbers of the exchanges that changed the state. */
export function changingOf(lines: readonly TrafficLine[]): readonly number[] {
  return lines.filter(({ changes }) => changes > 0).map(({ number }) => number);
}

/** Steps go from change to change. Before the first change comes the start, after the last one comes now. */
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
