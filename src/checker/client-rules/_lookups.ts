import { baseUrlOf } from "../rules/base-url-of.ts";
import type { CheckedExchange } from "../rules/rule.ts";

/** The lookups of a transfer factory, by either generation. */
export const factoryLookups: readonly string[] = ["getTransferFactory", "getTransferFactoryV1"];

/** The operations of a registry that disclose contracts. */
export const contextLookups: readonly string[] = [
  ...factoryLookups,
  ...["Accept", "Reject", "Withdraw"].flatMap((choice) =>
    ["", "V1"].map((generation) => `getTransferInstruction${choice}Context${generation}`),
  ),
];

/** Registries that are told apart. */
const registriesMax = 20;

/** The registries that a consumer asks. */
export class Registries {
  readonly #bases = new Set<string>();

  /** Gives the registry of a lookup a name. */
  nameOf(lookup: CheckedExchange): string {
    const base = baseUrlOf(lookup);
    if (this.#bases.size < registriesMax) this.#bases.add(base);
    return base;
  }

  /**
   * The registries that may have given what a ledger is sent: where both share a base URL, as in an Understudy, that one
   * alone, so that two stand-ins in one recording are not taken for one.
   */
  behind(submission: CheckedExchange): readonly string[] {
    const own = baseUrlOf(submission);
    return this.#bases.has(own) ? [own] : [...this.#bases];
  }
}
