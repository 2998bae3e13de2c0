import { test } from "vitest";
import { expectLooks, expectNoAlarm } from "./_interleaved.ts";

test.each(["spec", "canton-3.5", "canton-3.4.11"])(
  "interleaved clients raise no alarm in profile %s, in whatever order they are recorded",
  (ledger) => expectNoAlarm(ledger, 12),
);

test("interleaved clients leave the trace rules something to look at", () => expectLooks(12));
