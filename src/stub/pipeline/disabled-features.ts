import type { JsonObject } from "../../foundation/json/json.ts";
import { contracts, type DisabledFeature } from "../../foundation/spec/contracts.ts";
import type { SpecOperation } from "../../foundation/spec/operation.ts";
import type { LedgerState } from "../../simulator/ledger/ledger-state.ts";
import { nodeError, type Refusal } from "../../simulator/operations/refusal.ts";

/**
 * Refuses the deprecated endpoints and members that a release disables by default. Evidence: Canton 3.6.1, release notes,
 * `ApiDeprecation.scala` and `JsonV2DeprecatedApiDisabledTests`.
 */
export class DisabledFeatures {
  readonly #features: readonly DisabledFeature[];

  constructor(profile: string) {
    this.#features = contracts.profiles.find(({ name }) => name === profile)?.disables ?? [];
  }

  /** The refusal of a request to a disabled endpoint, which comes before its body is decoded. */
  ofEndpoint(method: string, path: string, { enabledFeatures }: LedgerState): Refusal | undefined {
    for (const { feature, endpoints = [], deprecatedIn } of this.#features) {
      if (enabledFeatures.has(feature)) continue;
      const endpoint = endpoints.find((candidate) => isRequestTo(candidate, `${method} ${path}`));
      if (endpoint !== undefined) return disabled(`${endpoint} was`, feature, deprecatedIn);
    }
    return undefined;
  }

  /** The refusal of a request with a disabled member. */
  ofBody({ method, path }: SpecOperation, body: JsonObject, { enabledFeatures }: LedgerState): Refusal | undefined {
    for (const { feature, member = "", requests = [], deprecatedIn } of this.#features) {
      const isGiven = body[member] !== undefined && body[member] !== null;
      if (isGiven && !enabledFeatures.has(feature) && requests.includes(`${method} ${path}`))
        return disabled(`The fields filter/verbose of the ${path} requests was`, feature, deprecatedIn);
    }
    return undefined;
  }
}

/** Whether a request, as method and path, is one to the endpoint; a parameter matches one segment. */
export function isRequestTo(endpoint: string, request: string): boolean {
  const [expected, given] = [endpoint.split("/"), request.split("/")];
  return (
    expected.length === given.length &&
    expected.every((part, index) => part === given[index] || (part.startsWith("{") && given[index] !== ""))
  );
}

function disabled(subject: string, feature: string, deprecatedIn: string): Refusal {
  const flag = `canton.participants.<participant>.features.deprecated.${feature}`;
  return nodeError(
    "DEPRECATED_API_DISABLED",
    `${subject} deprecated in Canton ${deprecatedIn}, is disabled by default since Canton 3.6 and will be removed in Canton 3.7. Set \`${flag} = true\` to re-enable it temporarily.`,
  );
}
