import type { DamlValue } from "../../foundation/protobuf/daml-value.ts";
import type { DamlType } from "./daml-type.ts";
import type { Interpretation } from "./interpretation.ts";
import type { KnownContract } from "./transaction-builder.ts";

/** A choice with its effect. */
export interface Choice {
  readonly name: string;
  /** Module and entity of its template. */
  readonly template: string;
  readonly type: DamlType;
  readonly isConsuming: boolean;
  /** The parties that must authorize it. */
  controllers(exercised: ExercisedChoice): readonly string[];
  /** Adds the nodes below the exercise and gives its result. */
  execute(exercised: ExercisedChoice, interpretation: Interpretation): DamlValue;
}

interface ExercisedChoice {
  readonly contract: KnownContract;
  readonly argument: DamlValue;
}

/** Exercises a choice in the course of another one, whose parties authorize it. */
export function exerciseWithin(choice: Choice, exercised: ExercisedChoice, interpretation: Interpretation): DamlValue {
  const { name, isConsuming } = choice;
  const actingParties = choice.controllers(exercised);
  const exercise = { ...exercised, interfaceId: undefined, choice: name, actingParties, isConsuming };
  return interpretation.builder.exercise(exercise, () => choice.execute(exercised, interpretation));
}
