import { test } from "vitest";
import { sampleOf } from "../_sample.ts";
import { expectRoundTrip, trips } from "./_round-trip.ts";

test.each(sampleOf(trips, 4))("%s with flags %j is recorded, checked, replayed, imported and run", (name, flags) =>
  expectRoundTrip(name, flags),
);
