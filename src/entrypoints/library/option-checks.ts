import { advise } from "../../foundation/text/suggestion.ts";

/** Gives the problem of an option's value; undefined if it is valid. */
export type OptionCheck = (name: string, value: unknown) => string | undefined;

/** A check for each option of a function. */
export type OptionChecks<Options> = { readonly [Name in keyof Options]-?: OptionCheck };

/**
 * The first problem of the names and values of options, for callers without TypeScript; those of `required` must be given.
 * `type` is the type that lists them.
 */
export function optionProblem(
  options: unknown,
  checks: Readonly<Record<string, OptionCheck>>,
  type: string,
  required: readonly string[] = [],
): string | undefined {
  if (typeof options !== "object" || options === null)
    return `${shown(options)} is not an object of options. The type ${type} lists them.`;
  const given = new Map<string, unknown>([
    ...required.map((name) => [name, undefined] as const),
    ...Object.entries(options),
  ]);
  for (const [name, value] of given) {
    const problemOf = Object.hasOwn(checks, name) ? checks[name] : undefined;
    if (problemOf === undefined)
      return `unknown option ${JSON.stringify(name)}. ${advise(name, Object.keys(checks), `The type ${type} lists all.`)}`;
    const problem = value === undefined && !required.includes(name) ? undefined : problemOf(name, value);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

export const isText = (value: unknown): value is string => typeof value === "string" && value !== "";
export const isWhole = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

/** A value for which a condition holds; `problem` ends the sentence about another one. */
export function form(problem: string, isValid: (value: unknown) => boolean): OptionCheck {
  return (name, value) => (isValid(value) ? undefined : `option ${name}: ${shown(value)} is ${problem}`);
}

export const yesOrNo: OptionCheck = form("not a boolean. Use true or false.", (value) => typeof value === "boolean");
export const text: OptionCheck = form("not a non-empty string.", isText);

/** One of several names. */
export function oneOf(known: readonly string[]): OptionCheck {
  return (name, value) =>
    isText(value) && known.includes(value)
      ? undefined
      : `option ${name}: unknown value ${shown(value)}. ${advise(String(value), known)}`;
}

/** A list whose elements pass a check; `example` is one of them. */
export function listOf(check: OptionCheck, example: string): OptionCheck {
  return (name, value) =>
    Array.isArray(value)
      ? value.map((element) => check(name, element)).find((problem) => problem !== undefined)
      : `option ${name}: ${shown(value)} is not a list. Use ${name}: ["${example}"].`;
}

/** A list of at least one file. */
export function filesLike(example: string): OptionCheck {
  const check = listOf(text, example);
  return (name, value) =>
    check(name, value) ??
    (Array.isArray(value) && value.length === 0
      ? `option ${name}: the list is empty. Use ${name}: ["${example}"].`
      : undefined);
}

/** A value as a message shows it. */
export function shown(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "function") return "a function";
  if (typeof value !== "object" || value === null || value instanceof Date) return String(value);
  return Array.isArray(value) ? "a list" : "an object";
}
