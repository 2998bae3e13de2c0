import { type ProfileNames, profileNamesOf } from "../../../foundation/spec/spec.ts";
import { oneOf } from "../../programs/one-of.ts";
import { type GivenRules, releasesOf } from "../../programs/releases.ts";
import { UserError } from "../../programs/user-error.ts";
import { booleanFlag, choiceFlag, type Flag, type Options, rare } from "../options.ts";

/** The release of the ledger; `help` says what it does for the command, and its default. */
export function profileFlag(help: string): Flag {
  return { ...choiceFlag("profile", "NAME", profileNamesOf("ledger"), help), group: "Release" };
}

/** The release of the registry, where it is not the one that the ledger's profile implies. */
export const registryProfileFlag: Flag = {
  ...rare(
    choiceFlag(
      "registry-profile",
      "NAME",
      profileNamesOf("registry"),
      "release of the registry (default: the one that the profile implies)",
    ),
  ),
  group: "Release",
};

/** How strictly responses are checked. */
export const strictFlag: Flag = {
  ...booleanFlag("strict", "check against the spec alone: known divergences of the release fail"),
  group: "Check",
};

/** Whether additional operations are checked. */
export const allOperationsFlag: Flag = {
  ...booleanFlag("all-operations", "check the additional operations too, which are not in the spec"),
  group: "Check",
};

/** The options that the flags of the release and of the strictness set. */
export function rulesOptionsOf(options: Options): GivenRules {
  const [ledger, registry] = [namedProfile(options), options.text("registry-profile")];
  if (registry !== undefined && profileNamesOf("ledger").some((one) => one === registry && one !== "spec"))
    throw new UserError(`--registry-profile ${registry}: a release of the ledger. Use --profile ${registry}.`);
  return {
    profile: ledger === undefined ? undefined : ledgerProfile(ledger),
    registryProfile:
      registry === undefined ? undefined : oneOf("--registry-profile", registry, profileNamesOf("registry")),
    strict: options.flag("strict"),
    allOperations: options.flag("all-operations"),
  };
}

/** The releases that the flags name, or the default one. */
export function profileOf(options: Options, otherwise: string): ProfileNames {
  return releasesOf(rulesOptionsOf(options), ledgerProfile(namedProfile(options) ?? otherwise));
}

/** The release of the ledger with this name. Throws a UserError for another name, which may be that of a registry's release. */
export function ledgerProfile(name: string): ProfileNames["ledger"] {
  const known = profileNamesOf("ledger");
  if (!known.some((one) => one === name) && profileNamesOf("registry").some((one) => one === name))
    throw new UserError(`--profile ${name}: a release of the registry. Use --registry-profile ${name}.`);
  return oneOf("--profile", name, known);
}

/** The release that is named; `auto` names none. */
export function namedProfile(options: Options): string | undefined {
  const name = options.text("profile");
  return name === "auto" ? undefined : name;
}
