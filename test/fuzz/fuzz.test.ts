import { test } from "vitest";
import { deepInputs, expectNothingWrong } from "./_nothing-wrong.ts";

test.each(Object.entries(deepInputs))("handles a few hostile inputs of the kind %s", (kind, count) =>
  expectNothingWrong(kind, Math.ceil(count / 20)),
);
