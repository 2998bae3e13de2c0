import { UserError } from "../../programs/user-error.ts";
import type { Options } from "../options.ts";

/** Longest text of digits that a JavaScript number holds exactly. */
const digitsMax = 15;

/** The whole number that a flag gives, or `byDefault`. Throws a UserError with the range where it is another value. */
export function wholeNumber(
  options: Pick<Options, "text">,
  flag: string,
  { byDefault, min, max }: { readonly byDefault: number; readonly min: number; readonly max: number },
): number {
  const text = options.text(flag);
  return text === undefined ? byDefault : checkedWholeNumber(flag, text, { min, max });
}

/** The whole number in a text. Throws a UserError with the range where it is another value. */
export function checkedWholeNumber(
  flag: string,
  text: string,
  { min, max }: { readonly min: number; readonly max: number },
): number {
  const number = text.length <= digitsMax && /^\d+$/.test(text) ? Number(text) : undefined;
  if (number !== undefined && number >= min && number <= max) return number;
  const problem = /^-?\d+$/.test(text) ? "out of range" : "not a whole number";
  throw new UserError(`--${flag} ${text}: ${problem}. Use ${min} to ${max}.`);
}

/** The largest seed: 15 digits, which a number holds exactly. */
export const seedMax = 999_999_999_999_999;
