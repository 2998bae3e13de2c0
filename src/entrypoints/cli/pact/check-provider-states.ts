import type { Scenario } from "../../../scenarios/files/load-scenario.ts";
import { UserError } from "../user-error.ts";

/** A scenario that says where it holds is not played elsewhere: its steps would fail, and be none of its problems. */
export function checkHolds({ file, profiles }: Scenario, ledger: string): void {
  if (profiles.length === 0 || profiles.includes(ledger)) return;
  throw new UserError(`${file} holds in ${profiles.join(", ")}, not in ${ledger}. Name one of these with --profile.`);
}
