import type { Level } from "../../checker/engine/exchange-verdict.ts";
import type { LedgerProfile, RegistryProfile } from "../../foundation/spec/generated/names.ts";
import {
  impliedRegistryProfile,
  knownProfiles,
  type ProfileNames,
  profileNamesOf,
} from "../../foundation/spec/spec.ts";
import { form, type OptionCheck, type OptionChecks, oneOf, text, yesOrNo } from "../library/option-checks.ts";

/** Options of a check of responses against the spec and its releases. */
export interface RulesOptions {
  readonly profile?: LedgerProfile | undefined;
  readonly registryProfile?: RegistryProfile | undefined;
  readonly strict?: boolean | undefined;
  readonly allOperations?: boolean | undefined;
}

/** How the releases and the folder of relative file names are checked. */
export const releaseChecks: OptionChecks = {
  profile: oneOf(profileNamesOf("ledger")),
  registryProfile: oneOf(profileNamesOf("registry")),
  folder: text,
};

/** How the options of a check of responses are checked. */
export const rulesChecks: OptionChecks = { ...releaseChecks, strict: yesOrNo, allOperations: yesOrNo };

/** A time limit in seconds. */
export const timeoutCheck: OptionCheck = form(
  "not a time limit. Use more than 0 seconds, and at most 3600.",
  (value) => typeof value === "number" && value > 0 && value <= 3600,
);

/** The releases that the options name; `otherwise` is the release of the ledger if they name none. */
export function releasesOf(
  { profile, registryProfile }: Pick<RulesOptions, "profile" | "registryProfile">,
  otherwise: string,
): ProfileNames {
  const ledger = profile ?? otherwise;
  return knownProfiles({ ledger, registry: registryProfile ?? impliedRegistryProfile(ledger) });
}

/** The strictness that the options set. */
export function levelOf({ strict }: Pick<RulesOptions, "strict">): Level {
  return strict === true ? "spec" : "release";
}
