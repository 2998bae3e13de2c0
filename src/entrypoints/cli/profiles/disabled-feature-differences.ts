import type { DisabledFeature } from "../../../foundation/spec/contracts.ts";
import type { ReleaseChange } from "./release-change.ts";

/** Operations or members that only one of two releases disables, and the divergences that follow from it. */
interface FeatureDifference {
  readonly changes: readonly ReleaseChange[];
  readonly divergences: readonly string[];
}

export function disabledFeatureDifferences(
  before: readonly DisabledFeature[],
  after: readonly DisabledFeature[],
): readonly FeatureDifference[] {
  const only = (features: readonly DisabledFeature[], others: readonly DisabledFeature[]) =>
    features.filter(({ feature }) => !others.some((other) => other.feature === feature));
  return [
    ...only(after, before).map((feature) => ({
      changes: changesOf(
        feature,
        "breaks",
        (subject) =>
          `${subject} is refused with 400 DEPRECATED_API_DISABLED unless the node enables ${feature.feature}. It is deprecated since release ${feature.deprecatedIn}.`,
      ),
      divergences: feature.divergences ?? [],
    })),
    ...only(before, after).map((feature) => ({
      changes: changesOf(feature, "new", (subject) => `${subject} is accepted without the feature ${feature.feature}.`),
      divergences: feature.divergences ?? [],
    })),
  ];
}

function changesOf(
  { endpoints = [], member = "", requests = [], feature }: DisabledFeature,
  effect: ReleaseChange["effect"],
  textOf: (subject: string) => string,
): readonly ReleaseChange[] {
  return [
    ...endpoints.map((operation) => ({ effect, operation, text: textOf("Every request"), source: feature })),
    ...requests.map((operation) => ({ effect, operation, text: textOf(`A request with ${member}`), source: feature })),
  ];
}
