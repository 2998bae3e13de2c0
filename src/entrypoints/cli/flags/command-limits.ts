import { limitNames } from "../../../foundation/limits/limits.ts";

/** The names that `--limit` has in any command. */
export const commandLimits: ReadonlySet<string> = new Set([
  ...limitNames,
  ...["leaseMs", "requestsMax", "stepsMax", "storedJournalBytesMax"],
]);
