/** Formats a timestamp for people: `2026-01-01 00:00:30.000`. */
export function readableTimestamp(timestamp: string): string {
  return timestamp.replace("T", " ").replace(/Z$/, "");
}
