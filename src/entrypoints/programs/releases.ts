import type { Level } from "../../checker/engine/exchange-verdict.ts";
import type { LedgerProfile, RegistryProfile } from "../../foundation/spec/generated/names.ts";
import {
  impliedRegistryProfile,
  knownProfiles,
  type ProfileNames,
  profileNamesOf,
} from "../../foundation/spec/spec.ts";
import { form, type OptionCheck, type OptionChecks, oneOf, text, yesOrNo } from "../library/option-checks.ts";
import type { Given } from "./caller.ts";

/** Options of a check of responses against the spec and its releases. */
export interface RulesOptions {
  /** Expected release. Default: the one that the target reports; for recordings the default release. */
  readonly profile?: LedgerProfile;
  /** Release of the registry. Default: the one that goes with the ledger's profile. */
  readonly registryProfile?: RegistryProfile;
  /** Whether known divergences of the release fail. Default: false. */
  readonly strict?: boolean;
  /** Whether additional operations are checked too. Default: false. */
  readonly allOperations?: boolean;
  /** Folder that relative file names start from. Default: the working folder. */
  readonly folder?: string;
}

/** The same, of which each may be undefined. */
export type GivenRules = Given<Omit<RulesOptions, "folder">>;

/** How the releases and the folder of relative file names are checked. */
export const releaseChecks: OptionChecks<Pick<RulesOptions, "profile" | "registryProfile" | "folder">> = {
  profile: oneOf(profileNamesOf("ledger")),
  registryProfile: oneOf(profileNamesOf("registry")),
  folder: text,
};

/** How the options of a check of responses are checked. */
export const rulesChecks: OptionChecks<RulesOptions> = { ...releaseChecks, strict: yesOrNo, allOperations: yesOrNo };

/** A time limit in seconds. */
export const timeoutCheck: OptionCheck = form(
  "not a time limit. Use more than 0 seconds, and at most 3600.",
  (value) => typeof value === "number" && value > 0 && value <= 3600,
);

/** The releases that the options name; `otherwise` is the release of the ledger if they name none. */
export function releasesOf(
  { profile, registryProfile }: Pick<GivenRules, "profile" | "registryProfile">,
  otherwise: string,
): ProfileNames {
  const ledger = profile ?? otherwise;
  return knownProfiles({ ledger, registry: registryProfile ?? impliedRegistryProfile(ledger) });
}

/** The strictness that the options set. */
export function levelOf({ strict }: Pick<GivenRules, "strict">): Level {
  return strict === true ? "spec" : "release";
}
