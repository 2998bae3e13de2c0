/** Elements of a list from one index to before another. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

export const drawnMax = 100;

/** Parts of a range of which each has `drawnMax` parts of its own at most; none where the range can be drawn as it is. */
export function rangesOf({ from, to }: Range): readonly Range[] {
  if (to - from <= drawnMax) return [];
  let size = drawnMax;
  while (size * drawnMax < to - from) size *= drawnMax;
  return Array.from({ length: Math.ceil((to - from) / size) }, (_, part) => ({
    from: from + part * size,
    to: Math.min(to, from + (part + 1) * size),
  }));
}
