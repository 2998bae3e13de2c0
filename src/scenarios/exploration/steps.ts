import type { Arbitrary } from "fast-check";
import type { Drawing, Weighted } from "./_generators.ts";
import type { FastCheck } from "./fast-check.ts";
import type { Material } from "./inputs.ts";
import type { Step } from "./step.ts";
import { passagesOnTheLedger, stepsOnTheLedger } from "./steps-on-the-ledger.ts";
import { passagesOnTheRegistry, stepsOfControl, stepsOnTheRegistry } from "./steps-on-the-registry.ts";
import { passagesOnUsers, stepsOnUsers } from "./steps-on-users.ts";

/** How far a walk may go: everywhere in a world of its own, or among the users alone that it makes itself. */
export type Scope = "world" | "own-users";

/** A step, or some that belong together and would hardly meet by chance; each of them can be left out. */
export type Passage = readonly Step[];

/** A passage that may be taken in that scope, drawn at random from what a scenario speaks of. */
export function passagesOver(fc: FastCheck, material: Material, scope: Scope): Arbitrary<Passage> {
  const drawing: Drawing = { fc, material };
  if (scope === "own-users") {
    const passages = oneOf(fc, stepsOnUsers(drawing, "own"), passagesOnUsers(drawing, "own"));
    return passages.map((steps) => steps.map((step) => ({ ...step, token: "administrator" })));
  }
  const steps = [
    ...stepsOnUsers(drawing, "all"),
    ...stepsOnTheLedger(drawing),
    ...stepsOnTheRegistry(drawing),
    ...stepsOfControl(drawing),
  ];
  return oneOf(fc, steps, [
    ...passagesOnUsers(drawing, "all"),
    ...passagesOnTheLedger(drawing),
    ...passagesOnTheRegistry(drawing),
  ]);
}

function oneOf(
  fc: FastCheck,
  steps: readonly Weighted<Step>[],
  passages: readonly Weighted<Passage>[],
): Arbitrary<Passage> {
  const single = fc.oneof({ depthSize: "max" }, ...steps).map((step): Passage => [step]);
  const weight = steps.reduce((sum, { weight: own }) => sum + own, 0);
  return fc.oneof({ depthSize: "max" }, { arbitrary: single, weight }, ...passages);
}
