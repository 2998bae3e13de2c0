import { advise } from "../../../foundation/text/suggestion.ts";
import { UserError } from "../../programs/user-error.ts";
import { byNameFlag, type Flag, type NamedNumber, type Options } from "../options.ts";

/** A flag that sets whole numbers by their names. */
export function numbersFlag(name: string, help: string, numbers: readonly NamedNumber[]): Flag {
  return { ...byNameFlag(name, "NAME=VALUE", help), numbers };
}

/** The numbers that a flag sets, by their names. Throws a UserError for an unknown name, and with the range for another value. */
export function numbersOf(
  options: Pick<Options, "texts" | "placeOf">,
  { name: flag, numbers = [] }: Flag,
): ReadonlyMap<string, number> {
  const given = new Map<string, number>();
  for (const text of options.texts(flag)) {
    const [, name = text, digits = ""] = /^([^=]*)=(.*)$/.exec(text) ?? [];
    const place = `${options.placeOf(flag, text)} ${text}`;
    const known = numbers.find((number) => number.name === name);
    if (known === undefined) {
      const names = numbers.map((number) => number.name);
      throw new UserError(`${place}: unknown ${flag}. ${advise(name, names, "docs/limits.md lists all.")}`);
    }
    const range = `${known.min} to ${known.max} ${known.unit ?? ""}`.trim();
    if (!/^\d{1,15}$/.test(digits)) throw new UserError(`${place}: not a whole number. Use ${name}=N, ${range}.`);
    if (given.has(name)) throw new UserError(`${place}: ${name} is given twice.`);
    const number = Number(digits);
    if (number < known.min || number > known.max) throw new UserError(`${place}: out of range. Use ${range}.`);
    given.set(name, number);
  }
  return given;
}

/** The number of this name that a flag sets, or its default. */
export function numberOf(
  options: Pick<Options, "texts" | "placeOf">,
  flag: Flag,
  { name, byDefault }: NamedNumber,
): number {
  return numbersOf(options, flag).get(name) ?? byDefault;
}
