import type { Mutant } from "../_mutant.ts";

const inBoth = {
  "lookup-refuses-self": "a registry may have a reason to refuse these arguments",
  "result-kind-direct": "no exchange shows the pre-approvals of a receiver",
  "invalid-token-accepted": "no exchange shows which tokens are valid",
} as const;

/** Faults that only the order of exchanges shows, which times in whole milliseconds do not tell. */
const ofOrder = ["users-new-one-missing", "grant-result-nothing", "vetting-dry-run-applied", "rights-change-version"];

/** Further faults that a check of recordings does not find where exchanges follow each other within a millisecond. */
export const notWhenAdjacent: Readonly<Record<Mutant["profile"], readonly string[]>> = {
  spec: [...ofOrder, "patch-changes-all", "vetting-never-applied"],
  "canton-3.5": ofOrder,
};

/**
 * Faults that a check of recordings does not find, with exchanges a second apart, each with the reason. A test fails if it
 * finds one after all.
 */
export const notInRecordings: Readonly<Record<Mutant["profile"], Readonly<Record<string, string>>>> = {
  spec: {
    ...inBoth,
    "conflict-as-404": "no exchange shows that a contract is being reassigned",
    "conflict-as-400": "no exchange shows that a contract is being reassigned",
    "vetting-forbids-serial": "the spec does not show the content of the member",
    "execute-forbids-deduplication": "the spec does not show the content of the member",
  },
  "canton-3.5": {
    ...inBoth,
    "idps-none": "a known divergence of the release",
    "execute-needs-deduplication": "a known divergence of the release",
  },
};
