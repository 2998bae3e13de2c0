import { expect, test } from "vitest";
import { loadSpec } from "../../foundation/spec/spec.ts";
import { Verdict } from "../engine/verdict.ts";
import { probes } from "../probes/index.ts";
import { unmetRequirements } from "./required-operations.ts";

const operation = "postV2Package-vetting";

/** The operations that a check without a single success misses. */
function missing(ledger: string, required?: readonly string[]): readonly string[] {
  const spec = loadSpec({ ledger, registry: "splice-0.7" });
  const reports = probes.map(
    ({ id, summary, safety }) => ({ id, summary, safety, outcome: "run", reason: undefined, reached: [] }) as const,
  );
  const requirements = { required, apis: new Set(["ledger"] as const), allowed: "destructive", probes, spec } as const;
  return unmetRequirements(reports, new Verdict(spec).summary(), requirements).map(({ subject }) => subject);
}

test("a check requires the operations of the release, except for those that it disables by default", () => {
  expect(missing("canton-3.5")).toContain(operation);
  expect(missing("canton-3.6")).toEqual(missing("canton-3.5").filter((subject) => subject !== operation));
});

test("an operation that the caller requires counts although the release disables it", () => {
  expect(missing("canton-3.6", [operation])).toEqual([operation]);
});
