function isoOf(ms: number): string {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? "" : date.toISOString();
}

/** The day in UTC. */
export function dayOf(ms: number): string {
  return isoOf(ms).slice(0, 10);
}

/** The time of day in UTC; zero milliseconds are omitted. */
export function clockOf(ms: number): string {
  return isoOf(Math.round(ms)).slice(11, 23).replace(".000", "");
}

/** Date and time of day in UTC. */
export function dateTimeOf(ms: number): string {
  return `${dayOf(ms)} ${clockOf(ms)}`;
}

/** A period in UTC. The day is not repeated. */
export function periodOf(fromMs: number, untilMs: number): string {
  if (clockOf(fromMs) === clockOf(untilMs) && dayOf(fromMs) === dayOf(untilMs)) return dateTimeOf(fromMs);
  return `${dateTimeOf(fromMs)} to ${dayOf(fromMs) === dayOf(untilMs) ? clockOf(untilMs) : dateTimeOf(untilMs)}`;
}

/** A duration, such as `12.3 ms`. */
export function durationText(ms: number): string {
  return `${ms.toLocaleString("en", { maximumFractionDigits: 1 })} ms`;
}
