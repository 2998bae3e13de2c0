import { expect, test } from "vitest";
import { isInstant, microsOfInstant } from "../../foundation/protobuf/instant.ts";
import { type DamlType, valueFromJson } from "./daml-type.ts";

test.each([
  ["1", "1.0000000000"],
  ["-.5", "-0.5000000000"],
  ["+1.5e3", "1500.0000000000"],
  ["0.00000000005", "0.0000000000"],
  ["0.00000000015", "0.0000000002"],
  ["0.00000000025", "0.0000000002"],
  ["0.000000000250001", "0.0000000003"],
  ["-0.00000000001", "0.0000000000"],
  ["9999999999999999999999999999.9999999999", "9999999999999999999999999999.9999999999"],
])("the decimal %s is %s on the ledger, with a half to the even additional operation", (json, value) => {
  expect(valueFromJson(json, { type: "numeric" })).toEqual({ type: "numeric", value });
});

const list = (depth: number): DamlType => (depth === 0 ? { type: "unit" } : { type: "list", inner: list(depth - 1) });
const deep = (depth: number): [] | [unknown] => (depth === 0 ? [] : [deep(depth - 1)]);

test.each<[what: string, json: never, type: DamlType]>([
  ["a decimal of 10^28", "1e28" as never, { type: "numeric" }],
  ["a decimal that is rounded to 10^28", "9999999999999999999999999999.99999999995" as never, { type: "numeric" }],
  ["a decimal with a huge exponent", "1e999" as never, { type: "numeric" }],
  ["very many digits and a letter", `${"1".repeat(1_000_000)}x` as never, { type: "numeric" }],
  ["a contract id that is not hexadecimal", "zz" as never, { type: "contract-id" }],
  ["a contract id with half a byte", "00a" as never, { type: "contract-id" }],
  ["a time in the year 0", "0000-01-01T00:00:00Z" as never, { type: "timestamp" }],
  ["a time after the year 9999", "9999-12-31T23:59:59-01:00" as never, { type: "timestamp" }],
  ["a time zone above 18 hours", "2026-01-01T00:00:00+18:30" as never, { type: "timestamp" }],
  ["only a decimal point", "." as never, { type: "numeric" }],
  ["an integer of more than 64 bits", "9223372036854775808" as never, { type: "int64" }],
  ["a fraction as an integer", 1.5 as never, { type: "int64" }],
  ["a time without a zone", "2026-01-01T00:00:00" as never, { type: "timestamp" }],
  ["a list of a hundred levels", deep(100) as never, list(100)],
])("%s is refused", (_what, json, type) => {
  expect(() => valueFromJson(json, type)).toThrow(/is not /);
});

test.each<[text: string, micros: bigint | undefined]>([
  ["1970-01-01T00:00:00Z", 0n],
  ["1970-01-01T00:00:01.1234567Z", 1_123_456n],
  ["1969-12-31T23:59:59.5Z", -500_000n],
  ["1970-01-01T01:00:00+01:00", 0n],
  ["1970-01-01T01:00:00+01", 0n],
  ["1970-01-01T00:00Z", 0n],
  ["2026-02-29T00:00:00Z", undefined],
  ["2024-02-29T00:00:00Z", 1_709_164_800_000_000n],
  ["2026-01-01T24:00:00Z", undefined],
  ["2016-12-31T23:59:60Z", undefined],
  ["2026-01-01", undefined],
  ["2026-01-01T00:00:00", undefined],
  ["0000-12-31T23:59:59Z", undefined],
  ["0001-01-01T00:00:00Z", -62_135_596_800_000_000n],
  ["0001-01-01T00:00:00+00:01", undefined],
  ["9999-12-31T23:59:59.999999Z", 253_402_300_799_999_999n],
  ["9999-12-31T23:59:59-00:01", undefined],
  ["2026-01-00T00:00:00Z", undefined],
  ["2026-13-01T00:00:00Z", undefined],
  ["+002026-01-01T00:00:00Z", undefined],
])("the instant %s is %s microseconds", (text, micros) => {
  expect(microsOfInstant(text)).toBe(micros);
  expect(isInstant(text)).toBe(micros !== undefined);
});
