import { test } from "vitest";
import { sampleOf } from "../_sample.ts";
import { expectRoundTrip, trips } from "./_round-trip.ts";

test.each(sampleOf(trips, 4))(
  "%s, recorded %s by the proxy, is replayed and inferred with the same responses",
  (name, how, planned) => expectRoundTrip(name, how, planned),
);
