/** A moment as people read it: `2026-01-01 00:00:30.000`. */
export function readablePointInTime(pointInTime: string): string {
  return pointInTime.replace("T", " ").replace(/Z$/, "");
}
