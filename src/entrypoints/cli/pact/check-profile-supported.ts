import type { Scenario } from "../../../scenarios/files/load-scenario.ts";
import { UserError } from "../../programs/user-error.ts";

/** Throws a UserError if the scenario lists the profiles that it supports, without this one. Its steps could fail there. */
export function checkProfileSupported({ file, profiles }: Scenario, ledger: string): void {
  if (profiles.length === 0 || profiles.includes(ledger)) return;
  throw new UserError(`${file} supports ${profiles.join(", ")}, not ${ledger}. Select one of these with --profile.`);
}
