import type { JsonObject } from "../../foundation/json/json.ts";
import {
  anonymousPath,
  compareDescriptions,
  type DescriptionDifference,
  isOfUnderstudy,
} from "../../foundation/spec/compare-descriptions.ts";
import { operationsOf } from "../../foundation/spec/operation.ts";
import { publishedIn } from "../../foundation/spec/published-operations.ts";
import { defaultProfileOf, loadSpec, type Spec } from "../../foundation/spec/spec.ts";

/** How the OpenAPI description that a ledger serves differs from that of the profile. It does not fail a check by default. */
export interface DriftReport {
  /** Why the description could not be compared; absent otherwise. */
  readonly problem?: string;
  /** The first differences; `added` is what only the target has. */
  readonly differences: readonly DescriptionDifference[];
  /** Differences beyond the limit. */
  readonly dropped: number;
}

const differencesMax = 500;
const nameLengthMax = 200;

/** Compares the description of a ledger with the profile. Texts of the target pass `mask`. */
export function driftOf(spec: Spec, actual: JsonObject, mask: (text: string) => string): DriftReport {
  const profile = spec.profile.ledger === "spec" ? defaultProfileOf("ledger") : spec.profile.ledger;
  const { ledger } = describing(spec).descriptions;
  const found = [
    ...compareDescriptions(ledger, actual).filter((difference) => isDrift(difference, profile)),
    ...unservedRemoved(ledger, actual, profile),
  ];
  const masked = (text: string) => mask(text).slice(0, nameLengthMax);
  const differences = found.slice(0, differencesMax).map((difference) => ({
    ...difference,
    operation: masked(difference.operation),
    member: masked(difference.member),
    value: masked(difference.value),
  }));
  return { differences, dropped: found.length - differences.length };
}

/** One difference as a phrase: `additional request member user/x`. */
export function driftText({ part, kind, member, value, change, isRequired }: DescriptionDifference): string {
  const presence = change === "added" ? "additional" : "missing";
  const place = part === "query" ? "query parameter" : `${part} member`;
  switch (kind) {
    case "operation":
      return `${presence} operation`;
    case "value":
      return `${presence} value ${value} of ${place} ${member}`;
    case "required":
      return `${place} ${member} is ${isRequired ? "" : "not "}required`;
    case "member":
      return `${presence} ${place} ${member}${change === "added" && isRequired ? ", required" : ""}`;
  }
}

/** What the spec leaves open is described by the default release. */
function describing(spec: Spec): Spec {
  if (spec.profile.ledger !== "spec") return spec;
  const schemasOf = { ledger: defaultProfileOf("ledger"), registry: defaultProfileOf("registry") };
  return loadSpec(spec.profile, { schemasOf, hasAdditionalOperations: true });
}

/** Operations that the release publishes are not new; operations outside `/v2` are not in every description. */
function isDrift({ kind, change, operation }: DescriptionDifference, profile: string): boolean {
  if (kind !== "operation") return true;
  if (change === "removed") return isVersioned(operation);
  return !publishedIn("ledger", profile).some((name) => anonymousPath(name) === anonymousPath(operation));
}

/** Operations that the release publishes, the stub does not serve, and the target does not describe either. */
function unservedRemoved(ledger: JsonObject, actual: JsonObject, profile: string): readonly DescriptionDifference[] {
  if (isOfUnderstudy(actual)) return [];
  const known = new Set(
    [ledger, actual]
      .flatMap((description) => operationsOf("ledger", description))
      .map(({ method, path }) => anonymousPath(`${method} ${path}`)),
  );
  return publishedIn("ledger", profile)
    .filter((operation) => isVersioned(operation) && !known.has(anonymousPath(operation)))
    .map((operation) => ({
      operation,
      part: "operation",
      kind: "operation",
      member: "",
      value: "",
      change: "removed",
      isRequired: false,
    }));
}

function isVersioned(operation: string): boolean {
  return operation.includes(" /v2/");
}
