import type { Mutant } from "./_mutant.ts";
import { clientRules } from "./conduct.ts";
import { ledgerResponses } from "./ledger-answers.ts";
import { registryResponses } from "./registry-answers.ts";
import { usersAndPackages } from "./users-and-packages.ts";

/** Faults that break no sentence of the spec. */
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

/** All single faults by which the checker is measured; each has to be found, and to fail unless it is tolerable. */
export const mutants: readonly Mutant[] = [
  ...ledgerResponses,
  ...registryResponses,
  ...clientRules,
  ...usersAndPackages,
].map((mutant) => ({
  ...mutant,
  isTolerable: tolerable.has(mutant.id),
}));
