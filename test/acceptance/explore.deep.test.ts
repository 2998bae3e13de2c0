import { test } from "vitest";
import { profileNamesOf } from "../../src/foundation/spec/spec.ts";
import { expectFaultFound, expectNoDifference } from "./_fault-found.ts";
import { faults } from "./_faults-of-a-target.ts";

test.each(profileNamesOf("ledger"))(
  "a stub differs in nothing from another one of another seed, in profile %s, in 2500 steps",
  (profile) => expectNoDifference(profile, 2500),
);

test.each(Object.keys(faults))(
  "finds that %s, in four steps at most, again by its seed, and with a scenario that shows it",
  (name) => expectFaultFound(name),
);
