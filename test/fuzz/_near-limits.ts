import { formatJson, isJsonObject, type Json } from "../../src/foundation/json/json.ts";
import { limits } from "../../src/foundation/limits/limits.ts";
import { below, isDrawn, oneOf, type Random } from "./_draw.ts";

const { bodyBytesMax, jsonValuesMax, nestingMax, numberLengthMax, protobufFieldsMax } = limits;

/** What a body needs beside a value that fills it. */
const besideBytes = 16 * 1024;

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
export function valueNearLimit(random: Random, bodyBytes: number = bodyBytesMax.byDefault): string {
  switch (below(random, 7)) {
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
    case 5:
      return `{${many(random, (index) => `"m${index}":${index % 2 === 0 ? '"v"' : '""'}`)}}`;
    default:
      return valueOfWholeBody(random, bodyBytes - besideBytes);
  }
}

/** A value that fills a body up to its size: more digits, values or members than any other limit allows. */
function valueOfWholeBody(random: Random, bytes: number): string {
  switch (below(random, 4)) {
    case 0:
      return "9".repeat(bytes);
    case 1:
      return `[0${",0".repeat(bytes / 2 - 2)}]`;
    case 2:
      return `{${Array.from({ length: bytes / 16 }, (_, index) => `"m${index}":""`).join(",")}}`;
    default:
      return JSON.stringify(base64NearLimit(random, bytes));
  }
}

/** A value of that type as JSON text: with as many elements, members or characters as a limit allows, or as fill a body. */
export function crowdedText(value: Json, random: Random): string {
  const bytes = bodyBytesMax.byDefault - besideBytes;
  const count = (one: string) =>
    isDrawn(random, 0.5)
      ? Math.floor(bytes / (one.length + 8))
      : Math.max(0, nearLimit(random, jsonValuesMax.byDefault));
  if (Array.isArray(value)) {
    const one = formatJson(value[0] ?? "a");
    const distinct = (index: number) => one.replace(/"([^"]*)"(?!:)/, (_, text: string) => `"${text}${index}"`);
    return `[${Array.from({ length: count(one) }, (_, index) => distinct(index)).join(",")}]`;
  }
  if (isJsonObject(value)) {
    const one = oneOf(random, ['"v"', '""', "{}", "[]", "1"]);
    const own = formatJson(value).slice(1, -1);
    const more = Array.from({ length: count(`"k":${one}`) }, (_, index) => `"k${index}":${one}`).join(",");
    return `{${own}${own === "" || more === "" ? "" : ","}${more}}`;
  }
  const digits = "9".repeat(isDrawn(random, 0.5) ? bytes : nearLimit(random, numberLengthMax.byDefault));
  return oneOf(random, [digits, `"${digits}"`, `"${digits}.0"`, JSON.stringify(base64NearLimit(random))]);
}

/** Base64 that almost fills a body, with and without the right number of characters. */
export function base64NearLimit(random: Random, bytes: number = bodyBytesMax.byDefault - besideBytes): string {
  return oneOf(random, ["AAAAAAAA", "CgMyLjES", "/+/+/+/+"])
    .repeat(bytes / 8)
    .slice(0, bytes - below(random, 5));
}

/** Digits as a text, as many as a number may have, and more. */
export function digitsNearLimit(random: Random): string {
  return JSON.stringify(
    "9".repeat(oneOf(random, [18, 19, 20, 38, 39, nearLimit(random, numberLengthMax.max), 1_000_000])),
  );
}

/** A number of protobuf fields close to the limit of a body, or far beyond. */
export function fieldsNearLimit(random: Random): number {
  const limit = protobufFieldsMax.byDefault;
  return isDrawn(random, 0.2) ? 10 * limit : nearLimit(random, limit);
}

function many(random: Random, one: (index: number) => string): string {
  const length = nearLimit(random, jsonValuesMax.byDefault);
  return Array.from({ length }, (_, index) => one(index)).join(",");
}
