import type { JsonObject } from "../../foundation/json/json.ts";
import { contracts, type DisabledFeature } from "../../foundation/spec/contracts.ts";
import { isRequestTo } from "../../foundation/spec/disabled-part.ts";
import type { SpecOperation } from "../../foundation/spec/operation.ts";
import { deprecatedSettings } from "../../foundation/spec/with-deprecations.ts";
import type { LedgerState } from "../../simulator/ledger/ledger-state.ts";
import { nodeError, type Refusal } from "../../simulator/operations/refusal.ts";

/**
 * Refuses the deprecated endpoints and members that a release disables by default. Evidence: Canton 3.6.1, release notes,
 * `ApiDeprecation.scala` and `JsonV2DeprecatedApiDisabledTests`.
 */
export class DisabledFeatures {
  /** By method and path. */
  readonly #endpoints = new Map<string, DisabledFeature>();
  readonly #members = new Map<string, DisabledFeature>();

  constructor(features: readonly DisabledFeature[]) {
    for (const feature of features) {
      for (const endpoint of feature.endpoints ?? []) this.#endpoints.set(endpoint, feature);
      for (const request of feature.requests ?? []) this.#members.set(request, feature);
    }
  }

  /** The refusal of a request to a disabled operation, which comes before its body is decoded. */
  ofOperation({ method, path }: SpecOperation, ledger: LedgerState): Refusal | undefined {
    return refusalOf(`${method} ${path} was`, this.#endpoints.get(`${method} ${path}`), ledger);
  }

  /** The refusal of a request to a disabled endpoint that the stub does not serve. */
  ofPath(method: string, path: string, ledger: LedgerState): Refusal | undefined {
    for (const [endpoint, feature] of this.#endpoints)
      if (isRequestTo(endpoint, `${method} ${path}`)) return refusalOf(`${endpoint} was`, feature, ledger);
    return undefined;
  }

  /** The refusal of a request with a disabled member. */
  ofBody({ method, path }: SpecOperation, body: JsonObject, ledger: LedgerState): Refusal | undefined {
    const feature = this.#members.get(`${method} ${path}`);
    const { member = "", subject = "" } = feature ?? {};
    if (body[member] === undefined || body[member] === null) return undefined;
    return refusalOf(`The ${subject} of the ${path} requests was`, feature, ledger);
  }
}

/** Undefined for a release that disables nothing. */
export function disabledFeaturesOf(profile: string): DisabledFeatures | undefined {
  const { disables } = contracts.profiles.find(({ name }) => name === profile) ?? {};
  return disables === undefined ? undefined : new DisabledFeatures(disables);
}

function refusalOf(
  subject: string,
  disabled: DisabledFeature | undefined,
  { enabledFeatures }: LedgerState,
): Refusal | undefined {
  if (disabled === undefined || enabledFeatures.has(disabled.feature)) return undefined;
  const flag = `${deprecatedSettings}.${disabled.feature}`;
  return nodeError(
    "DEPRECATED_API_DISABLED",
    `${subject} deprecated in Canton ${disabled.deprecatedIn}, is disabled by default since Canton ${disabled.disabledSince} and will be removed in Canton ${disabled.removedIn}. Set \`${flag} = true\` to re-enable it temporarily.`,
  );
}
