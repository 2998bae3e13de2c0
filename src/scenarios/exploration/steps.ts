import type { Arbitrary } from "fast-check";
import type { Generators, Weighted } from "./_generators.ts";
import type { FastCheck } from "./fast-check.ts";
import type { ExplorationInputs } from "./inputs.ts";
import type { Step } from "./step.ts";
import { sequencesOnTheLedger, stepsOnTheLedger } from "./steps-on-the-ledger.ts";
import { sequencesOnTheRegistry, stepsOfControl, stepsOnTheRegistry } from "./steps-on-the-registry.ts";
import { sequencesOnUsers, stepsOnUsers } from "./steps-on-users.ts";

/** The scope of an exploration: everything in a world of its own, or only users that it creates. */
export type Scope = "world" | "own-users";

/** One step, or related steps that would rarely occur together by chance. */
export type StepSequence = readonly Step[];

/** Generates step sequences of a scope from the names in a scenario. */
export function sequencesOver(fc: FastCheck, inputs: ExplorationInputs, scope: Scope): Arbitrary<StepSequence> {
  const generators: Generators = { fc, inputs };
  if (scope === "own-users") {
    const sequences = oneOf(fc, stepsOnUsers(generators, "own"), sequencesOnUsers(generators, "own"));
    return sequences.map((steps) => steps.map((step) => ({ ...step, token: "administrator" })));
  }
  const steps = [
    ...stepsOnUsers(generators, "all"),
    ...stepsOnTheLedger(generators),
    ...stepsOnTheRegistry(generators),
    ...stepsOfControl(generators),
  ];
  return oneOf(fc, steps, [
    ...sequencesOnUsers(generators, "all"),
    ...sequencesOnTheLedger(generators),
    ...sequencesOnTheRegistry(generators),
  ]);
}

function oneOf(
  fc: FastCheck,
  steps: readonly Weighted<Step>[],
  sequences: readonly Weighted<StepSequence>[],
): Arbitrary<StepSequence> {
  const single = fc.oneof({ depthSize: "max" }, ...steps).map((step): StepSequence => [step]);
  const weight = steps.reduce((sum, { weight: own }) => sum + own, 0);
  return fc.oneof({ depthSize: "max" }, { arbitrary: single, weight }, ...sequences);
}
