import { test } from "vitest";
import { deepInputs, expectNothingWrong } from "./_nothing-wrong.ts";

test.each(Object.entries(deepInputs))("nothing is wrong with a few inputs of the kind %s", (kind, count) =>
  expectNothingWrong(kind, Math.ceil(count / 20)),
);
