import { test } from "vitest";
import { expectInferred, trips } from "./_inferred-trip.ts";

test.each(trips)("%s, recorded in %s, becomes a scenario that gives the recorded responses", (file, profile) =>
  expectInferred(file, profile),
);
