import type { Flag } from "./options.ts";

/** The release of the ledger; `help` says what of it the command takes, and its default. */
export function profileFlag(help: string): Flag {
  return { name: "profile", type: "string", value: "NAME", help };
}

/** The release of the registry, where it is another than the ledger's profile implies. */
export const registryProfileFlag: Flag = {
  name: "registry-profile",
  type: "string",
  value: "NAME",
  help: "release of the registry (default: what the profile implies)",
};

/** How strictly answers are checked. */
export const levelFlag: Flag = {
  name: "level",
  type: "string",
  value: "LEVEL",
  help: "release (default: known divergences do not fail) or document",
};
