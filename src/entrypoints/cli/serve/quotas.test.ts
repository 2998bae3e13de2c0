import { expect, test } from "vitest";
import { readOptions } from "../options.ts";
import { quotaFlags, quotasOf } from "./quotas.ts";

function reportOf(words: readonly string[], variable?: string) {
  const command = { name: "serve", flags: quotaFlags };
  const quotas = quotasOf(readOptions(command, words, { variables: { UNDERSTUDY_QUOTA: variable }, folder: "/" }));
  return quotas?.report().map(({ label, name, value }) => `${label} ${name} ${value}`);
}

test("a quota has a label and its limits; the flag can be repeated", () => {
  expect(reportOf(["--quota", "team-a:worlds=100,bytes=50000000,rate=200", "--quota", "b:rate=1"])).toEqual([
    "team-a worlds 100",
    "team-a bytes 50000000",
    "team-a rate 200",
    "b rate 1",
  ]);
  expect(reportOf([])).toBeUndefined();
});

test("the environment variable separates quotas by commas or lines", () => {
  const expected = ["team-a worlds 1", "team-a rate 2", "b bytes 3"];
  expect(reportOf([], "team-a:worlds=1,rate=2,b:bytes=3")).toEqual(expected);
  expect(reportOf([], "team-a:worlds=1,rate=2\nb:bytes=3")).toEqual(expected);
});

test.each([
  "worlds=1",
  "team-a",
  "team-a:",
  "team a:worlds=1",
  "**:worlds=1",
  "a:world=1",
  "a:worlds=0",
  "a:worlds=1.5",
  "a:worlds=-1",
  "a:worlds=9999999999999",
  "a:worlds=1,,rate=1",
  `${"a".repeat(64)}:worlds=1`,
])("refuses the quota %s with what is valid", (text) => {
  expect(() => reportOf(["--quota", text])).toThrow("Use LABEL:worlds=N,bytes=N,rate=N");
});
