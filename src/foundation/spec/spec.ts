import type { JsonObject } from "../json/json.ts";
import { withAdditionalOperations } from "./additional-operations.ts";
import { type Api, contracts, type Divergence, type RegistryBehaviour, type ReleaseBehaviour } from "./contracts.ts";
import { createDescribedFields, type DescribedFieldsOf } from "./described-fields.ts";
import { type LedgerProfile, ledgerProfiles, type RegistryProfile, registryProfiles } from "./generated/names.ts";
import { isOfSpec, operationsOf, type SpecOperation } from "./operation.ts";
import { createRouter, type Route } from "./router.ts";
import { behindScanProxy } from "./scan-proxy.ts";
import { createShapes, type Shapes } from "./shape.ts";
import { createValidator, type Validate } from "./validator.ts";
import { withDeprecations } from "./with-deprecations.ts";

/** The spec in one profile: operations, schemas and known divergences. */
export interface Spec {
  readonly profile: ProfileNames;
  readonly operations: readonly SpecOperation[];
  readonly descriptions: Readonly<Record<Api, JsonObject>>;
  readonly validate: Readonly<Record<Api, Validate>>;
  /** The shapes of the schemas that `validate` uses. */
  readonly shapes: Readonly<Record<Api, Shapes>>;
  /** Validates against the schemas of the profile itself, if `validate` uses those of another profile. */
  readonly validateLetter: Readonly<Record<Api, Validate>>;
  /** Members of ledger requests that the profile describes without their JSON names. */
  readonly describedFields: DescribedFieldsOf;
  readonly divergences: readonly Divergence[];
  /** Finds the operation of a request by method and path (no query). */
  route(method: string, path: string): Route;
}

/** The release of the ledger and that of the registry. */
export interface ProfileNames {
  readonly ledger: LedgerProfile;
  readonly registry: RegistryProfile;
}

/** The registry profile that a ledger profile implies. */
export function impliedRegistryProfile(ledgerProfile: string): RegistryProfile {
  return contracts.profiles.find(({ name }) => name === ledgerProfile)?.implies?.registry ?? "spec";
}

const profileNames: { readonly [Of in Api]: readonly ProfileNames[Of][] } = {
  ledger: ledgerProfiles,
  registry: registryProfiles,
};

/** The names of the profiles that describe this API: the spec, then releases from the newest to the oldest. */
export function profileNamesOf<Of extends Api>(api: Of): readonly ProfileNames[Of][] {
  return profileNames[api];
}

/** Names of profiles that may be unknown. */
export type GivenProfileNames = Readonly<Record<Api, string>>;

/** Checks the names of profiles. Throws RangeError for an unknown one. */
export function knownProfiles({ ledger, registry }: GivenProfileNames): ProfileNames {
  return { ledger: knownName("ledger", ledger), registry: knownName("registry", registry) };
}

function knownName<Of extends Api>(api: Of, name: string): ProfileNames[Of] {
  const found = profileNamesOf(api).find((known) => known === name);
  if (found === undefined) throw new RangeError(`no ${api} profile ${name}`);
  return found;
}

/** Options for reading a spec. */
export interface SpecOptions {
  /**
   * The profile whose schemas are used. Where the spec is silent, a stub or checker with profile `spec` reads requests like
   * the default release.
   */
  readonly schemasOf?: GivenProfileNames;
  /** Whether additional operations are included. */
  readonly hasAdditionalOperations?: boolean;
}

// State of the module: each spec is a constant, built at first use, since a process uses few of them.
const loaded = new Map<string, Spec>();

/** The spec in a profile, read once. Throws RangeError for an unknown profile. */
export function loadSpec(names: GivenProfileNames, options: SpecOptions = {}): Spec {
  const { schemasOf = names, hasAdditionalOperations = false } = options;
  const parts = [names.ledger, names.registry, schemasOf.ledger, schemasOf.registry, hasAdditionalOperations];
  const key = parts.join(" ");
  const known = loaded.get(key);
  if (known !== undefined) return known;
  const spec = readSpec(knownProfiles(names), schemasOf, hasAdditionalOperations);
  loaded.set(key, spec);
  return spec;
}

function readSpec(profile: ProfileNames, schemasOf: GivenProfileNames, hasAdditionalOperations: boolean): Spec {
  const described = (api: Api, name: string) => {
    const release = contracts.profiles.find((candidate) => candidate.name === profile[api]);
    const description = descriptionOf(api, name);
    const all = hasAdditionalOperations ? withAdditionalOperations(api, description, release ?? {}) : description;
    return api === "ledger" ? withDeprecations(all, release?.disables) : all;
  };
  const descriptions = {
    ledger: described("ledger", schemasOf.ledger),
    registry: described("registry", schemasOf.registry),
  };
  const operations = [
    ...operationsOf("ledger", descriptions.ledger),
    ...operationsOf("registry", descriptions.registry),
  ].filter(isOfSpec);
  const validate = { ledger: createValidator(descriptions.ledger), registry: createValidator(descriptions.registry) };
  const own = (api: Api) => (schemasOf[api] === profile[api] ? descriptions[api] : described(api, profile[api]));
  const letters = { ledger: own("ledger"), registry: own("registry") };
  const letterOf = (api: Api) => (letters[api] === descriptions[api] ? validate[api] : createValidator(letters[api]));
  return {
    profile,
    operations,
    descriptions,
    validate,
    shapes: { ledger: createShapes(descriptions.ledger), registry: createShapes(descriptions.registry) },
    validateLetter: { ledger: letterOf("ledger"), registry: letterOf("registry") },
    describedFields: createDescribedFields(letters.ledger),
    divergences: [...(contracts.divergences[profile.ledger] ?? []), ...(contracts.divergences[profile.registry] ?? [])],
    route: createRouter(hasAdditionalOperations ? [...operations, ...behindScanProxy(operations)] : operations),
  };
}

/** The release that is meant where none is named, and that defines what the spec leaves open (`contracts/profiles/spec`). */
export function defaultProfileOf<Of extends Api>(api: Of): ProfileNames[Of] {
  const name = contracts.profiles.find(({ defaults }) => defaults !== undefined)?.defaults?.[api];
  if (name === undefined) throw new Error(`invariant: contracts/profiles/spec names no default release of the ${api}`);
  return name;
}

/** Version and behaviour of a ledger profile; profile `spec` uses those of the default release. */
export function releaseOf(ledgerProfile: string): { readonly version: string; readonly behaviour: ReleaseBehaviour } {
  const name = ledgerProfile === "spec" ? defaultProfileOf("ledger") : ledgerProfile;
  const { version, behaviour } = contracts.profiles.find((candidate) => candidate.name === name) ?? {};
  if (version === undefined || behaviour === undefined) throw new RangeError(`no ledger release ${ledgerProfile}`);
  return { version, behaviour };
}

/** Behaviour of a registry profile; profile `spec` uses that of the default release. */
export function registryBehaviourOf(registryProfile: string): RegistryBehaviour {
  const name = registryProfile === "spec" ? defaultProfileOf("registry") : registryProfile;
  const behaviour = contracts.profiles.find((candidate) => candidate.name === name)?.registryBehaviour;
  if (behaviour === undefined) throw new RangeError(`no registry release ${registryProfile}`);
  return behaviour;
}

/** The limit of a request body of the release; undefined if it is that of the stub. */
export function bodyBytesMaxOf(ledgerProfile: string | undefined): number | undefined {
  return contracts.profiles.find(({ name }) => name === ledgerProfile)?.bodyBytesMax;
}

function descriptionOf(api: Api, profile: string): JsonObject {
  const description = contracts.descriptions[api][profile];
  if (description === undefined) throw new RangeError(`no ${api} profile ${profile}`);
  return description;
}
