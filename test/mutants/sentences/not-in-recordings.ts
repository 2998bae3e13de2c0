import type { Mutant } from "../_mutant.ts";

const notShown = {
  "lookup-refuses-self": "a registry may have a reason to refuse these arguments",
  "result-kind-direct": "no exchange shows the pre-approvals of a receiver",
  "invalid-token-accepted": "no exchange shows which tokens are valid",
} as const;

/** The faulty server acts before it refuses, so that no equal request succeeds afterwards. */
const actsFirst = "no equal request succeeds";

const inBoth = {
  ...notShown,
  "users-new-one-missing": "pages begin and end with users that may have been created or deleted meanwhile",
  "allocate-needs-multi-hash": actsFirst,
  "allocate-refuses-false-wait": actsFirst,
  "allocate-needs-user": actsFirst,
  "allocate-refuses-empty-user": actsFirst,
  "execute-needs-deduplication": actsFirst,
} as const;

const known = "a known divergence of the release or of a vendor registry";

/** Faults that a check of recordings does not find, each with the reason. */
export const notInRecordings: Readonly<Record<Mutant["profile"], Readonly<Record<string, string>>>> = {
  spec: {
    ...inBoth,
    "conflict-as-404": "no exchange shows that a contract is being reassigned",
    "conflict-as-400": "no exchange shows that a contract is being reassigned",
    "page-token-for-ever": "the token may have expired",
    "vetting-changes-of-any-type": "the spec does not show the names of the members",
    "vetting-forbids-serial": "the spec does not show the content of the member",
    "execute-forbids-deduplication": "the spec does not show the content of the member",
  },
  "canton-3.5": {
    ...inBoth,
    "lookup-arguments-of-any-type": known,
    "context-names-another": known,
    "disclosed-synchronizerId-empty": known,
    "idps-none": known,
    "vetting-needs-synchronizer": "no exchange shows how many synchronizers are connected",
    "vetting-another-code": "no exchange shows how many synchronizers are connected",
  },
};
