import { expect, test } from "vitest";
import { DecodingFailure } from "./decoding-failure.ts";
import { decodeInt, decodeLong } from "./scalars.ts";

const zeros = "0".repeat(4_000_000);

test.each([
  ["a run of zeros between two digits", `1${zeros}1`],
  ["leading zeros of a fraction", `0.${zeros}1`],
  ["a zero with many decimals", `1.${zeros}`],
])("refuses %s of megabytes in a string, in time that does not grow with its square", (_, text) => {
  expect([decodeInt(text), decodeLong(text)].map((decoded) => decoded instanceof DecodingFailure)).toEqual([
    true,
    true,
  ]);
});

test.each([
  ["42", 42],
  ["1e3", 1000],
  ["-7.00", -7],
])("reads the string %j as an integer", (text, value) => {
  expect([decodeInt(text), decodeLong(text)]).toEqual([value, value]);
});
