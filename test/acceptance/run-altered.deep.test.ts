import { test } from "vitest";
import { expectFailureWhenAltered, runs } from "./_altered-responses.ts";

test.each(runs)("%s in %s fails if any one response is altered", (file, ledger) =>
  expectFailureWhenAltered(file, ledger),
);
