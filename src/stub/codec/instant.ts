// Instants as `Instant.parse` of Java 17 reads them, with its texts. Source: java.time.format (OpenJDK 17).

/** An instant, or the problem of the text. */
type ReadInstant =
  | { readonly type: "instant"; readonly text: string }
  | { readonly type: "refused"; readonly problem: string };

/** Reads an instant. Its text is in UTC, with 0, 3, 6 or 9 decimals. */
export function readInstant(text: string): ReadInstant {
  if (usual.test(text) && isDate(Number(text.slice(0, 4)), Number(text.slice(5, 7)), Number(text.slice(8, 10))))
    return { type: "instant", text };
  const parsed = parse(text);
  return typeof parsed === "string" ? { type: "refused", problem: problemOf(text, parsed) } : resolved(text, parsed);
}

const usual = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]Z$/;
const shownMax = 64;

function problemOf(text: string, problem: string): string {
  const shown = text.length > shownMax ? `${text.slice(0, shownMax)}...` : text;
  return `Text '${shown}' could not be parsed${problem}`;
}

interface Fields {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly nanos: number;
  readonly offsetSeconds: number;
}

/** The fields of the text, or the end of the problem's text. */
function parse(text: string): Fields | string {
  const at = (index: number) => ` at index ${index}`;
  const year = yearAt(text);
  if (year === undefined) return at(0);
  let position = year.length;
  const fields: number[] = [];
  for (const separator of ["-", "-", "T", ":", ":"]) {
    if (text[position]?.toUpperCase() !== separator) return at(position);
    const field = /^[0-9]{2}/.exec(text.slice(position + 1, position + 3));
    if (field === null) return at(position + 1);
    fields.push(Number(field[0]));
    position += 3;
  }
  const fraction = /^\.[0-9]{0,9}/.exec(text.slice(position, position + 10))?.[0] ?? "";
  position += fraction.length;
  const offset = offsetAt(text.slice(position, position + 9));
  if (offset === undefined) return at(position);
  if (typeof offset === "string") return offset;
  position += offset.length;
  if (position < text.length) return `, unparsed text found at index ${position}`;
  const [month = 0, day = 0, hour = 0, minute = 0, second = 0] = fields;
  const nanos = Number(fraction.slice(1).padEnd(9, "0"));
  return { year: Number(year), month, day, hour, minute, second, nanos, offsetSeconds: offset.seconds };
}

/** A year: four digits, or up to ten with a sign. A plus sign requires more than four digits. */
function yearAt(text: string): string | undefined {
  const [year, sign, digits = ""] = /^([+-]?)([0-9]{4,10})/.exec(text) ?? [];
  if (year === undefined || (sign === "" && digits.length > 4) || (sign === "+" && digits.length === 4))
    return undefined;
  return sign === "-" && Number(digits) === 0 ? undefined : year;
}

function offsetAt(text: string): { readonly length: number; readonly seconds: number } | string | undefined {
  if (/^z/i.test(text)) return { length: 1, seconds: 0 };
  const [offset, sign, ...parts] = /^([+-])([0-5][0-9]):([0-5][0-9])(?::([0-5][0-9]))?/.exec(text) ?? [];
  if (offset === undefined) return undefined;
  const [hours = 0, minutes = 0, seconds = 0] = parts.map((part) => Number(part ?? 0));
  if (hours > 23) return ": Value out of range: Hour[0-23], Minute[0-59], Second[0-59]";
  return { length: offset.length, seconds: (sign === "-" ? -1 : 1) * (hours * 3600 + minutes * 60 + seconds) };
}

const yearMax = 1_000_000_000;
const offsetSecondsMax = 18 * 3600;
const secondsOfDay = 86_400;

/** The fields as a text in UTC. The message about an impossible date or time has index 0. */
function resolved(text: string, fields: Fields): ReadInstant {
  const { year, month, day, hour, minute, second, nanos, offsetSeconds } = fields;
  const isEndOfDay = hour === 24 && minute === 0 && second === 0 && nanos === 0;
  const isLeapSecond = hour === 23 && minute === 59 && second === 60;
  const isTime = isEndOfDay || isLeapSecond || (hour < 24 && minute < 60 && second < 60);
  if (!isTime || !isDate(year, month, day) || Math.abs(offsetSeconds) > offsetSecondsMax)
    return { type: "refused", problem: problemOf(text, " at index 0") };
  const seconds = hour * 3600 + minute * 60 + (isLeapSecond ? 59 : second) - offsetSeconds;
  const date = dayAfter({ year, month, day }, Math.floor(seconds / secondsOfDay));
  if (Math.abs(date.year) > yearMax)
    return { type: "refused", problem: problemOf(text, ": Instant exceeds minimum or maximum instant") };
  const time = ((seconds % secondsOfDay) + secondsOfDay) % secondsOfDay;
  return { type: "instant", text: `${dateText(date)}T${timeText(time)}${fractionText(nanos)}Z` };
}

interface CalendarDate {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

/** The date that many days later: -1, 0 or 1. */
function dayAfter({ year, month, day }: CalendarDate, days: number): CalendarDate {
  const next = day + days;
  if (next >= 1 && next <= daysIn(year, month)) return { year, month, day: next };
  if (next < 1)
    return month === 1
      ? { year: year - 1, month: 12, day: 31 }
      : { year, month: month - 1, day: daysIn(year, month - 1) };
  return month === 12 ? { year: year + 1, month: 1, day: 1 } : { year, month: month + 1, day: 1 };
}

function isDate(year: number, month: number, day: number): boolean {
  return month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month);
}

const daysOfMonths: readonly number[] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function daysIn(year: number, month: number): number {
  const isLeapYear = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 2 && isLeapYear ? 29 : (daysOfMonths[month - 1] ?? 0);
}

function dateText({ year, month, day }: CalendarDate): string {
  const sign = year < 0 ? "-" : year > 9999 ? "+" : "";
  return `${sign}${padded(Math.abs(year), 4)}-${padded(month, 2)}-${padded(day, 2)}`;
}

function timeText(seconds: number): string {
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return parts.map((part) => padded(part, 2)).join(":");
}

function fractionText(nanos: number): string {
  if (nanos === 0) return "";
  return `.${padded(nanos, 9).replace(/(?:000){1,2}$/, "")}`;
}

function padded(value: number, length: number): string {
  return String(value).padStart(length, "0");
}
