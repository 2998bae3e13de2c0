import type { ConnectFailure } from "../../../transport/client/connect-failure.ts";
import { exitCodes, UserError } from "../user-error.ts";

/** The error for a target that cannot be reached; `what` names it, such as "the ledger". */
export function unreachableError(url: string, { reason, remedy }: ConnectFailure, what: string): UserError {
  const advice = remedy ?? `Check the URL and that ${what} is running.`;
  return new UserError(`${url} cannot be reached (${reason}). ${advice}`, exitCodes.unreachable);
}
