/** A timestamp in UTC; with microseconds, unless the time is in whole milliseconds. */
export function timestampOf(epochMs: number): string {
  const wholeMs = Math.floor(epochMs);
  const text = new Date(wholeMs).toISOString();
  const micros = Math.floor((epochMs - wholeMs) * 1000);
  return epochMs === wholeMs ? text : `${text.slice(0, -1)}${String(micros).padStart(3, "0")}Z`;
}

/** A point in time in milliseconds since 1970, and the milliseconds that its text leaves open. */
interface ReadTimestamp {
  readonly epochMs: number;
  readonly resolutionMs: number;
}

const fraction = /T\d{2}:\d{2}:\d{2}(?:\.(\d{1,12}))?/;

/** Reads an ISO-8601 timestamp with all its digits; NaN if it is invalid. */
export function readTimestamp(text: string): ReadTimestamp {
  const digits = fraction.exec(text)?.[1] ?? "";
  const resolutionMs = Math.max(10 ** (3 - digits.length), 0.001);
  return { epochMs: Date.parse(text) + Number(`0.${digits.slice(3)}0`), resolutionMs };
}

const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

/** Whether a text is a valid timestamp; a text with the 45th of a month is not. */
export function isTimestamp(text: string): boolean {
  return timestamp.test(text) && !Number.isNaN(Date.parse(text));
}
