import type { ExchangeContext } from "./rule.ts";

/** Prefix of every id that a probe creates; the seed of the check follows it. */
export const probeIdPrefix = "understudy-probe-";

/** Whether the probes of another check created the id. That check may create and remove it at any time. */
export function isOfAnotherCheck(id: string, { ownPrefix }: Pick<ExchangeContext, "ownPrefix">): boolean {
  return ownPrefix !== undefined && id.startsWith(probeIdPrefix) && !id.startsWith(ownPrefix);
}
