import type { JsonObject } from "../http/json.ts";
import { type Api, contracts, type Divergence } from "./contracts.ts";
import { operationsOf, type SpecOperation } from "./operation.ts";
import { createRouter, type Route } from "./router.ts";
import { createValidator, type Validate } from "./validator.ts";

/** The contract in one profile: its operations, its schemas and what is known to differ. */
export interface Spec {
  readonly profile: ProfileNames;
  readonly operations: readonly SpecOperation[];
  readonly descriptions: Readonly<Record<Api, JsonObject>>;
  readonly validate: Readonly<Record<Api, Validate>>;
  /** Validates by the profile itself, where `validate` goes by the schemas of another one. */
  readonly validateLetter: Readonly<Record<Api, Validate>>;
  readonly divergences: readonly Divergence[];
  /** Finds the operation of a request by method and path (no query). */
  route(method: string, path: string): Route;
}

/** The release of the ledger and that of the registry. */
export interface ProfileNames {
  readonly ledger: string;
  readonly registry: string;
}

/** The registry profile that a ledger profile implies. */
export function impliedRegistryProfile(ledgerProfile: string): string {
  return contracts.profiles.find(({ name }) => name === ledgerProfile)?.implies?.registry ?? "document";
}

/** The names of the profiles that describe this API. */
export function profileNamesOf(api: Api): readonly string[] {
  return Object.keys(contracts.descriptions[api]);
}

/**
 * Reads the contract in a profile. `schemasOf` takes the schemas of another profile: where the document is silent,
 * a stub or judge of the document reads requests as the newest release does.
 * Throws RangeError for an unknown profile.
 */
export function loadSpec(profile: ProfileNames, schemasOf: ProfileNames = profile): Spec {
  const descriptions = {
    ledger: descriptionOf("ledger", schemasOf.ledger),
    registry: descriptionOf("registry", schemasOf.registry),
  };
  const operations = [
    ...operationsOf("ledger", descriptions.ledger),
    ...operationsOf("registry", descriptions.registry),
  ];
  const validate = { ledger: createValidator(descriptions.ledger), registry: createValidator(descriptions.registry) };
  return {
    profile,
    operations,
    descriptions,
    validate,
    validateLetter: {
      ledger: schemasOf.ledger === profile.ledger ? validate.ledger : letterOf("ledger", profile.ledger),
      registry: schemasOf.registry === profile.registry ? validate.registry : letterOf("registry", profile.registry),
    },
    divergences: [...(contracts.divergences[profile.ledger] ?? []), ...(contracts.divergences[profile.registry] ?? [])],
    route: createRouter(operations),
  };
}

function letterOf(api: Api, profile: string): Validate {
  return createValidator(descriptionOf(api, profile));
}

function descriptionOf(api: Api, profile: string): JsonObject {
  const description = contracts.descriptions[api][profile];
  if (description === undefined) throw new RangeError(`no ${api} profile ${profile}`);
  return description;
}
