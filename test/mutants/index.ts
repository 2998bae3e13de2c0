import type { Mutant } from "./_mutant.ts";
import { conduct } from "./conduct.ts";
import { ledgerAnswers } from "./ledger-answers.ts";
import { registryAnswers } from "./registry-answers.ts";
import { usersAndPackages } from "./users-and-packages.ts";

/** Faults that break no sentence of the document. */
const tolerable: ReadonlySet<string> = new Set([
  "contract-blob-cut-short",
  "contract-blob-of-nothing-known",
  "contract-template-by-name",
  "error-of-another-category",
  "error-of-another-grpc-code",
  "execute-offset-stands-still",
  "grant-for-two-users-accepted",
  "grant-to-a-deleted-user-accepted",
  "lookup-409-for-ever",
  "lookup-context-by-inputs",
  "lookup-contract-left-out",
  "lookup-contract-twice",
  "lookup-data-untagged",
  "lookup-data-without-values",
  "lookup-factory-not-disclosed",
  "lookup-offer-though-approved",
  "no-token-500",
  "patch-keeps-the-version",
  "patch-mask-repeated-accepted",
  "patch-of-a-deleted-user-accepted",
  "patch-stale-version-accepted",
  "status-always-registered",
  "status-always-unspecified",
]);

/** All single faults by which the judge is measured; each has to be found, and to fail unless it is tolerable. */
export const mutants: readonly Mutant[] = [...ledgerAnswers, ...registryAnswers, ...conduct, ...usersAndPackages].map(
  (mutant) => ({
    ...mutant,
    isTolerable: tolerable.has(mutant.id),
  }),
);
