import type { Mutant } from "./_mutant.ts";
import { conduct } from "./conduct.ts";
import { ledgerAnswers } from "./ledger-answers.ts";
import { registryAnswers } from "./registry-answers.ts";

/** Faults that break no sentence of the document. */
const tolerable: ReadonlySet<string> = new Set([
  "contract-blob-cut-short",
  "contract-blob-of-nothing-known",
  "contract-template-by-name",
  "error-of-another-category",
  "error-of-another-grpc-code",
  "execute-offset-stands-still",
  "grant-for-two-users-accepted",
  "lookup-context-by-inputs",
  "lookup-contract-left-out",
  "lookup-contract-twice",
  "lookup-data-untagged",
  "lookup-data-without-values",
  "lookup-factory-not-disclosed",
  "lookup-offer-though-approved",
  "no-token-500",
]);

/** All single faults by which the judge is measured; each has to be found, and to fail unless it is tolerable. */
export const mutants: readonly Mutant[] = [...ledgerAnswers, ...registryAnswers, ...conduct].map((mutant) => ({
  ...mutant,
  isTolerable: tolerable.has(mutant.id),
}));
