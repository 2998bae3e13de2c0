import type { ExchangeContext } from "./rule.ts";

/** Begins every id that a probe makes; the seed of the check follows. */
export const probeIdPrefix = "understudy-probe-";

/** Whether the id was made by the probes of another check, which comes and goes as it likes. */
export function isOfAnotherCheck(id: string, { ownPrefix }: Pick<ExchangeContext, "ownPrefix">): boolean {
  return ownPrefix !== undefined && id.startsWith(probeIdPrefix) && !id.startsWith(ownPrefix);
}
