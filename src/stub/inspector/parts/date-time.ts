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
