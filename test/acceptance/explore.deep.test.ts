import { test } from "vitest";
import { profileNamesOf } from "../../src/foundation/spec/spec.ts";
import { expectFaultFound, expectNoDifference } from "./_fault-found.ts";
import { faults } from "./_faults-of-a-target.ts";

test.each(profileNamesOf("ledger"))(
  "two stubs with different seeds do not differ in profile %s in 2500 steps",
  (profile) => expectNoDifference(profile, 2500),
);

test.each(Object.keys(faults))(
  "finds that %s: in at most four steps, again by its seed, and with a scenario that shows it",
  (name) => expectFaultFound(name),
);
