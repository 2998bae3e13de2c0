import { test } from "vitest";
import { expectRedWhenSpoilt, runs } from "./_spoilt.ts";

test.each(runs)("%s in %s turns red when any one response is spoilt", (file, ledger) =>
  expectRedWhenSpoilt(file, ledger),
);
