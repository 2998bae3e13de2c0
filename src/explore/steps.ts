import type { Arbitrary } from "fast-check";
import type { Drawing } from "./_draw.ts";
import type { FastCheck } from "./fast-check.ts";
import type { Material } from "./material.ts";
import type { Step } from "./step.ts";
import { stepsOnTheLedger } from "./steps-on-the-ledger.ts";
import { stepsOfControl, stepsOnTheRegistry } from "./steps-on-the-registry.ts";
import { stepsOnUsers } from "./steps-on-users.ts";

/** How far a walk may go: everywhere in a world of its own, or among the users alone that it makes itself. */
export type Scope = "world" | "own-users";

/** A step that may be taken in that scope, drawn at random from what a scenario speaks of. */
export function stepsOver(fc: FastCheck, material: Material, scope: Scope): Arbitrary<Step> {
  const drawing: Drawing = { fc, material };
  if (scope === "own-users") {
    const steps = fc.oneof({ depthSize: "max" }, ...stepsOnUsers(drawing, "own"));
    return steps.map((step) => ({ ...step, token: "administrator" }));
  }
  return fc.oneof(
    { depthSize: "max" },
    ...stepsOnUsers(drawing, "all"),
    ...stepsOnTheLedger(drawing),
    ...stepsOnTheRegistry(drawing),
    ...stepsOfControl(drawing),
  );
}
