/** A moment as people read it: `2026-01-01 00:00:30.000`. */
export function readableMoment(moment: string): string {
  return moment.replace("T", " ").replace(/Z$/, "");
}
