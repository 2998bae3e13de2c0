import { advise } from "../../foundation/text/suggestion.ts";
import type { LfType } from "./lf-type.ts";

/** A text is not a type: the problem, and what to write instead. */
export class TypeTextError extends Error {
  readonly advice: string;

  constructor(problem: string, advice: string) {
    super(problem);
    this.advice = advice;
  }
}

/** The types without arguments, by the names of Daml; Int64 is the name of the ledger. */
const scalars: Readonly<Record<string, LfType>> = {
  Bool: builtin("Bool"),
  ContractId: builtin("ContractId"),
  Date: builtin("Date"),
  Decimal: numeric(10),
  Int: builtin("Int64"),
  Int64: builtin("Int64"),
  Party: builtin("Party"),
  Text: builtin("Text"),
  Time: builtin("Timestamp"),
};

/** The types of values of another type. */
const containers = ["List", "Optional", "TextMap"];
const scaleMax = 37;
const charactersMax = 200;

/**
 * Reads a type as Daml writes it: `Party`, `Numeric 2`, `Optional Text`, `[Party]` or `List Party`,
 * `TextMap (Optional Int)`. Throws TypeTextError.
 */
export function typeOfText(text: string): LfType {
  if (text.length > charactersMax)
    throw new TypeTextError(`a type has at most ${charactersMax} characters`, "Remove what is around the inner type.");
  const words = text.match(/\w+|\S/g) ?? [];
  const [type, end] = typeAt(words, 0);
  if (end < words.length)
    throw new TypeTextError(
      `${JSON.stringify(words[end])} is more than a type needs`,
      "Put an inner type in parentheses, as in Optional (List Party).",
    );
  return type;
}

type Read = readonly [type: LfType, end: number];

/** A type and the place behind it: a name with its arguments, or an inner type. */
function typeAt(words: readonly string[], start: number): Read {
  const name = words[start] ?? "";
  if (containers.includes(name)) {
    const [inner, end] = innerAt(words, start + 1);
    return [builtin(name, inner), end];
  }
  if (name === "Numeric") return [numeric(scaleOf(words[start + 1] ?? "")), start + 2];
  return innerAt(words, start);
}

/** A type that stands alone: in parentheses or brackets, or one without arguments. */
function innerAt(words: readonly string[], start: number): Read {
  const name = words[start] ?? "";
  const closing = { "(": ")", "[": "]" }[name];
  if (closing === undefined) return [scalarOf(name), start + 1];
  const [inner, end] = typeAt(words, start + 1);
  if (words[end] !== closing)
    throw new TypeTextError(`${closing} is missing`, `Write ${closing} behind the inner type.`);
  return [name === "[" ? builtin("List", inner) : inner, end + 1];
}

function scalarOf(name: string): LfType {
  if (Object.hasOwn(scalars, name)) return scalars[name] ?? builtin(name);
  if (name === "") throw new TypeTextError("a type is missing", "Name it, as in Optional Text.");
  if (name === "Numeric" || containers.includes(name))
    throw new TypeTextError(`${name} needs an argument`, `Write it in parentheses, as in Optional (${name} …).`);
  throw new TypeTextError(
    `${JSON.stringify(name)} is not a type`,
    advise(name, [...Object.keys(scalars), "Numeric", ...containers]),
  );
}

function scaleOf(text: string): number {
  const scale = /^\d{1,2}$/.test(text) ? Number(text) : scaleMax + 1;
  if (scale > scaleMax)
    throw new TypeTextError(
      "Numeric needs a number of decimals",
      `Write Numeric and a number from 0 to ${scaleMax}, as in Numeric 2.`,
    );
  return scale;
}

function numeric(scale: number): LfType {
  return builtin("Numeric", { type: "nat", value: scale });
}

function builtin(name: string, ...args: readonly LfType[]): LfType {
  return { type: "builtin", name, args };
}
