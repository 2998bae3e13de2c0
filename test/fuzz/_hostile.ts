import { below, isDrawn, oneOf, type Random } from "./_draw.ts";
import { digitsNearLimit, valueNearLimit } from "./_near-limits.ts";

/** Brackets of an absurdly nested value. */
const bracketsMax = 100_000;
const longText = 100_000;
const longList = 10_000;

/** Share of huge values, which take most of the time. */
const hugeShare = 0.004;

/** Integers beyond int64, which a double would round. */
export const beyondInt64: readonly string[] = [
  "9223372036854775808",
  "-9223372036854775809",
  "12345678901234567890123",
  "18446744073709551616",
];

/** Edge values as JSON text. */
const values: readonly string[] = [
  ...beyondInt64,
  "9223372036854775807",
  "-9223372036854775808",
  "9007199254740993",
  "12345678901234567",
  "2147483648",
  "1e999",
  "-1e999",
  "1e400",
  "1.7976931348623157e308",
  "5e-324",
  "0.1",
  "-0",
  "-1",
  "0",
  "1.0",
  "null",
  "true",
  "false",
  "[]",
  "{}",
  "[[]]",
  "[null]",
  "[{}]",
  '""',
  '" "',
  '"0"',
  '"-1"',
  '"9223372036854775808"',
  String.raw`"\ud800"`,
  String.raw`"\udc00\ud800"`,
  String.raw`"a\ud83d"`,
  String.raw`"\u0000"`,
  String.raw`"a\u0000b"`,
  String.raw`"\u001b[31m\u0007\r\n"`,
  String.raw`"\u202e\u2028\u2029\ufeff"`,
  '"\u0085\u009b\u007f"',
  '"💥"',
  '"__proto__"',
  '"constructor"',
  '"toString"',
  '"hasOwnProperty"',
  '"../../../../etc/passwd"',
  '"..\\\\..\\\\windows"',
  '"file:///etc/passwd"',
  '"http://["',
  '"%"',
  '"%00%ff"',
  '"/x?a=1&a=2#f"',
  '"2016-12-31T23:59:60Z"',
  '"2026-02-30T25:61:61Z"',
  '"+275760-09-13T00:00:00.001Z"',
  '"0000-00-00"',
  '"PT9999999999999999S"',
  '"P1D"',
  '"PT"',
  '"a::b"',
  '"::"',
  '"::1220"',
  '"name::1220::1220"',
  '"#p:M:T"',
  '"eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0."',
  '"=="',
  '"AAAA"',
  '"CgMyLjESAA=="',
  '"$steps.a.outputs.b"',
  '"{$response.body#/a}"',
  '"$response.body#/~2/-1"',
  '"(a+)+$"',
  '"["',
  '{"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '{"polluted":true,"__proto__":null}',
  '{"a":1,"a":2}',
  '{"":""}',
  '{"toString":1,"valueOf":2}',
  "NaN",
  "01",
  "+1",
  "undefined",
  "'x'",
  "//",
  "",
];

export const hostileNames: readonly string[] = [
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "valueOf",
  "hasOwnProperty",
  "length",
  "then",
  "toJSON",
  "",
  " ",
  "0",
  "-1",
  "a/b~c",
  "a.b",
  "$ref",
  "<<",
  String.raw`\ud800`,
  String.raw`\u0000`,
  "💥",
];

/** An invalid or extreme value as JSON text. Some are huge, to test the limits. */
export function hostileValue(random: Random): string {
  if (!isDrawn(random, hugeShare)) return oneOf(random, values);
  switch (below(random, 12)) {
    case 0:
      return `${"[".repeat(bracketsMax)}${"]".repeat(bracketsMax)}`;
    case 1:
      return "[".repeat(bracketsMax);
    case 2:
      return `${'{"a":'.repeat(2000)}1${"}".repeat(2000)}`;
    case 3:
      return JSON.stringify(oneOf(random, ["a", "::", "%", "\\", "💥", " ", "a."]).repeat(longText));
    case 4:
      return `[${Array.from({ length: longList }, () => oneOf(random, ["1", "{}", '"a"', "null"])).join(",")}]`;
    case 5:
      return digitsNearLimit(random);
    case 6:
      return `{${Array.from({ length: longList }, (_, index) => `"m${index}":0`).join(",")}}`;
    default:
      return valueNearLimit(random);
  }
}
