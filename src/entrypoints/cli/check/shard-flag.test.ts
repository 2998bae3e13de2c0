import { expect, test } from "vitest";
import { shardOf } from "./shard-flag.ts";

const shardFrom = (text: string, variables: Readonly<Record<string, string>> = {}) =>
  shardOf({ text: () => text }, { variables });

test("the environment of an Indexed Job names the part, from 0", () => {
  expect(shardFrom("auto/4", { JOB_COMPLETION_INDEX: "0" })).toEqual(shardFrom("1/4"));
  expect(shardFrom("auto/4", { JOB_COMPLETION_INDEX: "3" })).toEqual(shardFrom("4/4"));
});

test.each([
  ["auto/4", {}, "--shard auto/4: JOB_COMPLETION_INDEX is not set."],
  ["auto/4", { JOB_COMPLETION_INDEX: "x" }, "--shard auto/4: JOB_COMPLETION_INDEX is x, not a number."],
  ["auto/4", { JOB_COMPLETION_INDEX: "4" }, "--shard auto/4: JOB_COMPLETION_INDEX is 4, and 3 is the last of 4 parts."],
  ["auto", { JOB_COMPLETION_INDEX: "0" }, "--shard auto: not a valid shard."],
  ["0/4", {}, "--shard 0/4: not a valid shard."],
])("refuses %s with the variables %j", (text, variables, message) => {
  expect(() => shardFrom(text, variables)).toThrow(message);
});
