import { test } from "vitest";
import { expectNoFindings } from "./_interleaved.ts";

test.each(["spec", "canton-3.5", "canton-3.4.11"])(
  "interleaved clients cause no findings in profile %s, in any order of the recording",
  (ledger) => expectNoFindings(ledger, 2),
);
