import type { Mutant } from "../_mutant.ts";

const inBoth = [
  "users-new-one-missing",
  "vetting-needs-dry-run",
  "vetting-forbids-serial",
  "allocate-needs-multi-hash",
  "allocate-refuses-false-wait",
  "allocate-refuses-empty-user",
  "execute-result-offset-same",
  "execute-result-offset-falling",
  "execute-twice",
  "lookup-refuses-self",
];

/** Faults that no check of a live server finds, or that it only warns about. A test fails if it finds one after all. */
export const notFound: Readonly<Record<Mutant["profile"], readonly string[]>> = {
  spec: [...inBoth, "page-token-for-ever", "vetting-changes-of-any-type", "execute-forbids-deduplication"],
  "canton-3.5": [
    ...inBoth,
    // Known divergences: the release or a vendor registry does the same.
    "lookup-arguments-of-any-type",
    "context-names-another",
    "disclosed-synchronizerId-empty",
    "idps-none",
    "execute-needs-deduplication",
    // No known divergence.
    "vetting-needs-synchronizer",
    "vetting-another-code",
    "status-of-invalid-id",
  ],
};
