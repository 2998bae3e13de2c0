import type { Mutant } from "./_mutant.ts";
import { conduct } from "./conduct.ts";
import { ledgerAnswers } from "./ledger-answers.ts";
import { registryAnswers } from "./registry-answers.ts";

/** All single faults by which the judge is measured; each has to be found. */
export const mutants: readonly Mutant[] = [...ledgerAnswers, ...registryAnswers, ...conduct];
