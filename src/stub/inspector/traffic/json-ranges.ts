/** A range of list elements; `to` is exclusive. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

const drawnMax = 100;

/** Splits a range into parts with at most `drawnMax` parts each; empty if the range is short enough to draw. */
export function rangesOf({ from, to }: Range): readonly Range[] {
  if (to - from <= drawnMax) return [];
  let size = drawnMax;
  while (size * drawnMax < to - from) size *= drawnMax;
  return Array.from({ length: Math.ceil((to - from) / size) }, (_, part) => ({
    from: from + part * size,
    to: Math.min(to, from + (part + 1) * size),
  }));
}
