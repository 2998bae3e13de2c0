import type { Arbitrary } from "fast-check";
import type { Generators, Weighted } from "./_generators.ts";
import type { FastCheck } from "./fast-check.ts";
import type { ExplorationInputs } from "./inputs.ts";
import type { Step } from "./step.ts";
import { sequencesOnTheLedger, stepsOnTheLedger } from "./steps-on-the-ledger.ts";
import { sequencesOnTheRegistry, stepsOfControl, stepsOnTheRegistry } from "./steps-on-the-registry.ts";
import { sequencesOnUsers, stepsOnUsers } from "./steps-on-users.ts";

/** How far a walk may go: everywhere in a world of its own, or among the users alone that it makes itself. */
export type Scope = "world" | "own-users";

/** A step, or some that belong together and would hardly meet by chance; each of them can be left out. */
export type StepSequence = readonly Step[];

/** A passage that may be taken in that scope, drawn at random from what a scenario speaks of. */
export function sequencesOver(fc: FastCheck, material: ExplorationInputs, scope: Scope): Arbitrary<StepSequence> {
  const drawing: Generators = { fc, material };
  if (scope === "own-users") {
    const passages = oneOf(fc, stepsOnUsers(drawing, "own"), sequencesOnUsers(drawing, "own"));
    return passages.map((steps) => steps.map((step) => ({ ...step, token: "administrator" })));
  }
  const steps = [
    ...stepsOnUsers(drawing, "all"),
    ...stepsOnTheLedger(drawing),
    ...stepsOnTheRegistry(drawing),
    ...stepsOfControl(drawing),
  ];
  return oneOf(fc, steps, [
    ...sequencesOnUsers(drawing, "all"),
    ...sequencesOnTheLedger(drawing),
    ...sequencesOnTheRegistry(drawing),
  ]);
}

function oneOf(
  fc: FastCheck,
  steps: readonly Weighted<Step>[],
  passages: readonly Weighted<StepSequence>[],
): Arbitrary<StepSequence> {
  const single = fc.oneof({ depthSize: "max" }, ...steps).map((step): StepSequence => [step]);
  const weight = steps.reduce((sum, { weight: own }) => sum + own, 0);
  return fc.oneof({ depthSize: "max" }, { arbitrary: single, weight }, ...passages);
}
