import { limits } from "../../src/foundation/limits/limits.ts";
import { below, oneOf, type Random } from "./_draw.ts";

const { jsonValuesMax, nestingMax, numberLengthMax, protobufFieldsMax } = limits;

/** A size close to a limit: just within, at it, just beyond, or some way off. */
export function nearLimit(random: Random, limit: number): number {
  return oneOf(random, [
    limit - 1 - below(random, 20),
    limit - 1,
    limit,
    limit + 1,
    limit + 2 + below(random, 20),
    limit >> 1,
  ]);
}

/** A JSON text with a depth, a length of a number, or a number of values close to a limit of a body. */
export function valueNearLimit(random: Random): string {
  switch (below(random, 6)) {
    case 0: {
      const depth = nearLimit(random, nestingMax.byDefault);
      return `${"[".repeat(depth)}${"]".repeat(depth)}`;
    }
    case 1: {
      const depth = nearLimit(random, nestingMax.byDefault);
      return `${'{"a":'.repeat(depth)}null${"}".repeat(depth)}`;
    }
    case 2:
      return oneOf(random, ["9", "0", "1e", "0.", "-1"]) + "9".repeat(nearLimit(random, numberLengthMax.byDefault));
    case 3:
      return oneOf(random, ["9", "-1"]) + "0".repeat(nearLimit(random, numberLengthMax.max));
    case 4:
      return `[${many(random, () => oneOf(random, ["1", "{}", '"a"', "null", "[]", "0.5"]))}]`;
    default:
      return `{${many(random, (index) => `"m${index}":${index % 2 === 0 ? '"v"' : '""'}`)}}`;
  }
}

/** Digits as a text, as many as a number may have, and more. */
export function digitsNearLimit(random: Random): string {
  return JSON.stringify(
    "9".repeat(oneOf(random, [18, 19, 20, 38, 39, nearLimit(random, numberLengthMax.max), 1_000_000])),
  );
}

/** A number of protobuf fields close to the limit of a body. */
export function fieldsNearLimit(random: Random): number {
  return nearLimit(random, protobufFieldsMax.byDefault);
}

function many(random: Random, one: (index: number) => string): string {
  const length = nearLimit(random, jsonValuesMax.byDefault);
  return Array.from({ length }, (_, index) => one(index)).join(",");
}
