import { baseUrlOf } from "../rules/base-url-of.ts";
import type { CheckedExchange } from "../rules/rule.ts";

/** Number of registries that are distinguished. */
const registriesMax = 20;

/** The registries that a consumer uses. */
export class Registries {
  readonly #bases = new Set<string>();

  /** Gives the key of the registry that receives a lookup. */
  nameOf(lookup: CheckedExchange): string {
    const base = baseUrlOf(lookup);
    if (this.#bases.size < registriesMax) this.#bases.add(base);
    return base;
  }

  /**
   * The registries that may be the source of what a submission contains. If ledger and registry share a base URL, as in
   * a stub, only that one counts; two stubs in one recording stay separate.
   */
  behind(submission: CheckedExchange): readonly string[] {
    const own = baseUrlOf(submission);
    return this.#bases.has(own) ? [own] : [...this.#bases];
  }
}
