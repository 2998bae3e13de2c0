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
import { grants, HeldRights, type Holdings, holdingOf, rightsConcerning } from "./_held-rights.ts";
import { rightKey } from "./_rights.ts";

const grant = { operationId: "postV2UsersUser-idRights", target: "/v2/users/a/rights", status: 200 } as const;
const actAs = { kind: { CanActAs: { value: { party: "alice::1220ab" } } } };
const request = { userId: "a", rights: [actAs] };
const granted = { ...grant, requestBody: request, body: JSON.stringify({ newlyGrantedRights: [actAs] }) };
const nothingNew = { ...grant, requestBody: request, body: '{"newlyGrantedRights":[]}' };
const revocation = {
  operationId: "patchV2UsersUser-idRights",
  target: "/v2/users/a/rights",
  requestBody: request,
  status: 200,
  body: JSON.stringify({ newlyRevokedRights: [actAs] }),
} as const;

const creation = {
  operationId: "postV2Users",
  target: "/v2/users",
  requestBody: { user: { id: "a" }, rights: [] },
  status: 200,
  body: '{"user":{"id":"a"}}',
} as const;

const ownAllocation = {
  operationId: "postV2Parties",
  target: "/v2/parties",
  requestBody: { partyIdHint: "alice", userId: "a" },
  status: 200,
  body: '{"partyDetails":{"party":"alice::1220ab"}}',
} as const;
const listing = {
  operationId: "getV2UsersUser-idRights",
  target: "/v2/users/a/rights",
  status: 200,
  body: JSON.stringify({ rights: [actAs] }),
} as const;

export const grantsAreIdempotent: TraceRule = {
  type: "trace",
  id: "grants-are-idempotent",
  section: "4.2",
  severity: "error",
  summary: "A right that a user holds is not newly granted, and one that it does not hold is.",
  operations: rightsConcerning,
  assumesExclusiveUse: true,
  watch(memories) {
    const rights = new HeldRights(memories);
    return {
      begins: (traced) => rights.begins(traced),
      ends(traced) {
        const before = rights.ends(traced);
        const { operation, status, requestJson } = traced;
        if (operation.operationId !== grants || status !== 200 || before === undefined) return notApplicable;
        if (requestJson === undefined) return inconclusive("the recording does not show what was granted");
        return before.type === "unknown" ? inconclusive(before.reason) : wrongGrants(traced, before.value);
      },
    };
  },
  examples: {
    kept: [
      { name: "nothing new the second time", exchanges: [granted, nothingNew] },
      { name: "granted again after it was revoked", exchanges: [granted, revocation, granted] },
      { name: "granted after an allocation for nobody", exchanges: [creation, allocation(), granted] },
      { name: "granted after an allocation for another user", exchanges: [creation, allocation("b"), granted] },
      { name: "held since the user allocated the party", exchanges: [creation, ownAllocation, nothingNew] },
    ],
    broken: [
      { name: "granted twice", exchanges: [granted, granted] },
      { name: "nothing granted after it was revoked", exchanges: [granted, revocation, nothingNew] },
      { name: "nothing granted to a user who was just created", exchanges: [creation, nothingNew] },
      { name: "granted after an allocation gave it", exchanges: [allocation("a"), granted] },
      { name: "held since an allocation for nobody", exchanges: [creation, allocation(), nothingNew] },
      { name: "held since an allocation for another user", exchanges: [creation, allocation("b"), nothingNew] },
      { name: "granted though it was listed", exchanges: [listing, granted] },
    ],
  },
};

function allocation(userId = ""): TraceRule["examples"]["kept"][number]["exchanges"][number] {
  return {
    operationId: "postV2PartiesExternalAllocate",
    target: "/v2/parties/external/allocate",
    requestBody: { synchronizer: "main::1220ab", onboardingTransactions: [{ transaction: "" }], userId },
    status: 200,
    body: '{"partyId":"alice::1220ab"}',
  };
}

function wrongGrants({ requestJson, responseJson }: TracedExchange, known: Holdings): RuleResult {
  const requested = listAt(requestJson, "rights").map(rightKey);
  const newly = listAt(responseJson, "newlyGrantedRights").map(rightKey);
  const findings = [...new Set(requested)].flatMap((right): readonly Finding[] => {
    const how = right === undefined ? undefined : holdingOf(known, right);
    const isHeld = how !== "revoked";
    if (how === undefined || isHeld !== newly.includes(right)) return [];
    return [
      {
        expected: `${right} ${isHeld ? "left out, since the user held it" : "among the newly granted rights"}`,
        actual: isHeld ? "it is granted as new" : "it is not there",
        pointer: "/newlyGrantedRights",
        keyword: how,
      },
    ];
  });
  return withFindings(findings);
}
