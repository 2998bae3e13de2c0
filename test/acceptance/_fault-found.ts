import { expect } from "vitest";
import type { Finding } from "../../src/scenarios/exploration/explore.ts";
import { exploring, played } from "./_explored.ts";
import { faults } from "./_faults-of-a-target.ts";

/** The steps of a finding, and the difference at their end. */
function found(finding: Finding | undefined) {
  return { steps: finding?.run.executed.map(({ step }) => step), difference: finding?.run.difference };
}

/** Asserts that exploration finds the fault of this name, shrinks it, finds it again, and writes a scenario that shows it. */
export async function expectFaultFound(name: string): Promise<void> {
  const fault = faults[name];
  if (fault === undefined) throw new Error(name);
  const { finding } = await exploring({ fault });
  if (finding === undefined) throw new Error("no finding");
  expect(finding.run.executed.length).toBeLessThanOrEqual(4);
  const again = await exploring({ fault, path: finding.path });
  expect(found(again.finding)).toEqual(found(finding));
  const sound = await played(finding.run, {});
  expect(sound.map(({ reason }) => reason)).toEqual(finding.run.executed.map(() => undefined));
  const faulty = await played(finding.run, { fault });
  expect(faulty.map(({ outcome }) => outcome)).toEqual([
    ...finding.run.executed.slice(1).map(() => "passed"),
    "failed",
  ]);
}

/** Asserts that exploration finds no difference between two stubs with different seeds. */
export async function expectNoDifference(profile: string, stepsWanted: number): Promise<void> {
  const { finding, steps } = await exploring({ profile, steps: stepsWanted });
  expect(finding?.run.difference).toBeUndefined();
  expect(steps).toBeGreaterThanOrEqual(stepsWanted);
}
