import type { Environment } from "./options.ts";

/** Whether text may have colours: on a terminal that supports them, unless NO_COLOR or FORCE_COLOR is set (no-color.org). */
export function isColoured(isTerminal: boolean, variables: Environment["variables"]): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = variables;
  if (NO_COLOR !== undefined && NO_COLOR !== "") return false;
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== "") return FORCE_COLOR !== "0";
  return isTerminal && TERM !== "dumb";
}
