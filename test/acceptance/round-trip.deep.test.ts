import { test } from "vitest";
import { expectRoundTrip, trips } from "./_round-trip.ts";

test.each(trips)(
  "%s, recorded %s by the proxy, is replayed and inferred with the same responses",
  (name, how, planned) => expectRoundTrip(name, how, planned),
);
