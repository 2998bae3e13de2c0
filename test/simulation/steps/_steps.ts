import type { Arbitrary } from "fast-check";
import * as fc from "fast-check";
import type { Weighted } from "./_generators.ts";
import type { WalkInputs } from "./_inputs.ts";
import type { Step } from "./_step.ts";
import { sequencesOnTheLedger, stepsOnTheLedger } from "./_steps-on-the-ledger.ts";
import { sequencesOnTheRegistry, stepsOfControl, stepsOnTheRegistry } from "./_steps-on-the-registry.ts";
import { sequencesOnUsers, stepsOnUsers } from "./_steps-on-users.ts";

/** One step, or related steps that would rarely occur together by chance. */
export type StepSequence = readonly Step[];

/** Generates step sequences from the names in a scenario. */
export function sequencesOver(inputs: WalkInputs): Arbitrary<StepSequence> {
  const steps = [
    ...stepsOnUsers(inputs),
    ...stepsOnTheLedger(inputs),
    ...stepsOnTheRegistry(inputs),
    ...stepsOfControl(inputs),
  ];
  return oneOf(steps, [
    ...sequencesOnUsers(inputs),
    ...sequencesOnTheLedger(inputs),
    ...sequencesOnTheRegistry(inputs),
  ]);
}

function oneOf(
  steps: readonly Weighted<Step>[],
  sequences: readonly Weighted<StepSequence>[],
): Arbitrary<StepSequence> {
  const single = fc.oneof({ depthSize: "max" }, ...steps).map((step): StepSequence => [step]);
  const weight = steps.reduce((sum, { weight: own }) => sum + own, 0);
  return fc.oneof({ depthSize: "max" }, { arbitrary: single, weight }, ...sequences);
}
