import { test } from "vitest";
import { expectRoundTrip, trips } from "./_round-trip.ts";

test.each(trips)("%s with flags %j is recorded, checked, replayed, imported and run", (name, flags) =>
  expectRoundTrip(name, flags),
);
