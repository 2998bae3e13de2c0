import type { Mutant } from "./_mutant.ts";
import { behaviour } from "./behaviour.ts";
import { ledgerResponses } from "./ledger-responses.ts";
import { registryResponses } from "./registry-responses.ts";
import { faultyServers } from "./sentences/rows.ts";
import { usersAndPackages } from "./users-and-packages.ts";

/** Faults that break no sentence of the spec. */
const tolerable: ReadonlySet<string> = new Set([
  "contract-blob-cut-short",
  "contract-blob-not-base64",
  "contract-blob-of-nothing-known",
  "contract-template-by-name",
  "error-of-another-category",
  "error-of-another-grpc-code",
  "execute-offset-constant",
  "grant-for-two-users-accepted",
  "grant-to-a-deleted-user-accepted",
  "lookup-409-for-ever",
  "lookup-context-by-inputs",
  "lookup-contract-omitted",
  "lookup-contract-twice",
  "lookup-data-untagged",
  "lookup-data-without-values",
  "lookup-factory-a-name",
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

/** Faults of the table of sentences that only some rules find. */
const ofSentences: ReadonlySet<string> = new Set([
  "lookup-needs-exclude-debug",
  "grant-needs-rights",
  "key-twice",
  "grant-result-error",
  "page-size-absent-refused",
  "page-token-for-ever",
]);

/** All faults for measuring the checker: it must find each, and fail unless the fault is tolerable. */
export const mutants: readonly Mutant[] = [
  ...ledgerResponses,
  ...registryResponses,
  ...behaviour,
  ...usersAndPackages,
  ...faultyServers("spec").filter(({ id }) => ofSentences.has(id)),
].map((mutant) => ({
  ...mutant,
  isTolerable: tolerable.has(mutant.id),
}));
