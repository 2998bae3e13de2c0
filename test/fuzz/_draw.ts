/** Returns numbers from 0 to below 1; the same sequence for the same seed. */
export type Random = () => number;

/** A whole number from 0 to below a limit. */
export function below(random: Random, limit: number): number {
  return Math.floor(random() * limit);
}

/** An element of a non-empty list. */
export function oneOf<Value>(random: Random, values: readonly Value[]): Value {
  const value = values[below(random, values.length)];
  if (value === undefined) throw new Error("invariant: there is something to draw from");
  return value;
}

export function isDrawn(random: Random, probability: number): boolean {
  return random() < probability;
}

/** A text of arbitrary characters, including multi-byte and control characters. */
export function garbage(random: Random, lengthMax: number): string {
  const alphabet = [
    "{",
    "}",
    "[",
    "]",
    '"',
    ":",
    ",",
    "\\",
    "0",
    "e",
    "-",
    " ",
    "\n",
    "\t",
    "a",
    "é",
    "\u0000",
    "💥",
    "&",
    "*",
  ];
  const length = below(random, lengthMax);
  return Array.from({ length }, () =>
    isDrawn(random, 0.7) ? oneOf(random, alphabet) : String.fromCharCode(below(random, 0x10000)),
  ).join("");
}
