/** Advice for a text that is not an instant. */
export const instantAdvice = "Write it as 2026-01-01T00:00:00Z, not before 1970.";

/** Milliseconds since 1970 of a timestamp; undefined if it is earlier, or not a timestamp that exists. */
export function instantOf(text: string): number | undefined {
  const ms = Date.parse(text);
  return ms >= 0 ? ms : undefined;
}
