import { isWithin, timestamps } from "./daml-value.ts";

const instantForm =
  /^(\d{4}-\d{2}-\d{2})T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.(\d+))?)?(?:Z|[+-](?:(?:0\d|1[0-7])(?::?[0-5]\d)?|18(?::?00)?))$/;

/** Whether the day at the beginning of a text exists in its month; Date reads February 30 as a day in March. */
function isDay(text: string): boolean {
  const [year, month, date] = [Number(text.slice(0, 4)), Number(text.slice(5, 7)), Number(text.slice(8, 10))];
  if (month < 1 || month > 12 || date < 1) return false;
  const isLeapYear = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return date <= (month === 2 && isLeapYear ? 29 : (daysOfMonth[month - 1] ?? 0));
}

const daysOfMonth: readonly number[] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/**
 * Microseconds since the epoch of an ISO-8601 instant; further digits are cut. Date keeps only milliseconds.
 * Undefined without a zone, for hour 24, a leap second, an invalid day, or a year outside 1 to 9999.
 */
export function microsOfInstant(text: string): bigint | undefined {
  const [, day, fraction = ""] = instantForm.exec(text) ?? [];
  if (day === undefined) return undefined;
  if (!isDay(day)) return undefined;
  // Date requires the minutes of an offset.
  const read = Date.parse(
    text.endsWith("Z")
      ? text
      : text.replace(/([+-]\d{2}):?(\d{2})?$/, (_, hours: string, minutes = "00") => `${hours}:${minutes}`),
  );
  if (Number.isNaN(read)) return undefined;
  const micros = BigInt(Math.floor(read / 1000)) * 1_000_000n + BigInt(fraction.slice(0, 6).padEnd(6, "0"));
  return isWithin(micros, timestamps) ? micros : undefined;
}

/** Whether `microsOfInstant` reads the text. In UTC, each year but 0 is within the range. */
export function isInstant(text: string): boolean {
  if (!text.endsWith("Z")) return microsOfInstant(text) !== undefined;
  return instantForm.test(text) && isDay(text) && !text.startsWith("0000");
}
