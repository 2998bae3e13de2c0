import { test } from "vitest";
import { deepInputs, expectNothingWrong } from "./_nothing-wrong.ts";

test.each(Object.entries(deepInputs))("handles hostile inputs of the kind %s", (kind, count) =>
  expectNothingWrong(kind, count),
);
