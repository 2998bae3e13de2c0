import { listAt } from "../members.ts";
import {
  type Finding,
  inconclusive,
  notApplicable,
  type RuleResult,
  type TracedExchange,
  type TraceRule,
  withFindings,
} from "../rule.ts";
import { HeldRights, type Holdings, heldIn, holdingOf, rightsConcerning, rightsListing } from "./_held-rights.ts";
import { rightKey } from "./_rights.ts";

const actAs = { kind: { CanActAs: { value: { party: "alice::1220ab" } } } };
const grant = {
  operationId: "postV2UsersUser-idRights",
  target: "/v2/users/a/rights",
  requestBody: { userId: "a", rights: [actAs] },
  status: 200,
  body: JSON.stringify({ newlyGrantedRights: [actAs] }),
} as const;
const revocation = {
  ...grant,
  operationId: "patchV2UsersUser-idRights",
  body: JSON.stringify({ newlyRevokedRights: [actAs] }),
} as const;
const allocation = {
  operationId: "postV2PartiesExternalAllocate",
  target: "/v2/parties/external/allocate",
  requestBody: { synchronizer: "main::1220ab", onboardingTransactions: [{ transaction: "" }], userId: "a" },
  status: 200,
  body: '{"partyId":"alice::1220ab"}',
} as const;
const creation = {
  operationId: "postV2Users",
  target: "/v2/users",
  requestBody: { user: { id: "a" }, rights: [] },
  status: 200,
  body: '{"user":{"id":"a"}}',
} as const;
const list = (rights: readonly object[]) =>
  ({
    operationId: rightsListing,
    target: "/v2/users/a/rights",
    status: 200,
    body: JSON.stringify({ rights }),
  }) as const;

/** Rights are listed outside of the spec; what is granted within it shows there. */
export const rightsAreListed: TraceRule = {
  type: "trace",
  id: "rights-are-listed",
  section: "4.2",
  severity: "error",
  summary: "A user's rights are listed as they were granted, given by an allocation, and revoked.",
  operations: rightsConcerning,
  assumesExclusiveUse: true,
  watch(memories) {
    const rights = new HeldRights(memories);
    return {
      begins: (traced) => rights.begins(traced),
      ends(traced) {
        const before = rights.ends(traced);
        if (traced.operation.operationId !== rightsListing || before === undefined) return notApplicable;
        return before.type === "unknown" ? inconclusive(before.reason) : wrongRights(traced, before.value);
      },
    };
  },
  examples: {
    kept: [
      { name: "a right that was granted", exchanges: [grant, list([actAs])] },
      { name: "one that was revoked", exchanges: [grant, revocation, list([])] },
      { name: "one that an allocation gave", exchanges: [allocation, list([actAs])] },
      { name: "the rights of a new user", exchanges: [creation, list([])] },
    ],
    broken: [
      { name: "a right that was granted and is not listed", exchanges: [grant, list([])] },
      { name: "one that was revoked and is listed", exchanges: [grant, revocation, list([actAs])] },
      { name: "one that an allocation did not give", exchanges: [allocation, list([])] },
      { name: "one that nobody granted to a new user", exchanges: [creation, list([actAs])] },
    ],
  },
};

function wrongRights({ responseJson }: TracedExchange, known: Holdings): RuleResult {
  const listed = new Set(listAt(responseJson, "rights").map(rightKey));
  const missing = listed.has(undefined) ? [] : heldIn(known).filter(([right]) => !listed.has(right));
  const stray = [...listed].filter((right) => right !== undefined && holdingOf(known, right) === "revoked");
  return withFindings([
    ...missing.map(
      ([right, how]): Finding => ({
        expected: `${right}, which is ${how}`,
        actual: "it is not there",
        pointer: "/rights",
        keyword: how,
      }),
    ),
    ...stray.map(
      (right): Finding => ({
        expected: `no ${right}, which the user does not hold`,
        actual: "it is listed",
        pointer: "/rights",
        keyword: "revoked",
      }),
    ),
  ]);
}
