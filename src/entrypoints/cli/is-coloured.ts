import type { Environment } from "./options.ts";

/** Whether text may have colours: on a terminal that takes them; NO_COLOR and FORCE_COLOR have the last word (no-color.org). */
export function isColoured(isTerminal: boolean, variables: Environment["variables"]): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = variables;
  if (NO_COLOR !== undefined && NO_COLOR !== "") return false;
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== "") return FORCE_COLOR !== "0";
  return isTerminal && TERM !== "dumb";
}
