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
  summary: "A grant lists a right as newly granted if and only if the user did not hold it.",
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
        if (requestJson === undefined) return inconclusive("the recording does not show the granted rights");
        return before.type === "unknown" ? inconclusive(before.reason) : wrongGrants(traced, before.value);
      },
    };
  },
  examples: {
    kept: [
      { name: "a repeated grant lists no new right", exchanges: [granted, nothingNew] },
      { name: "a right granted again after a revocation", exchanges: [granted, revocation, granted] },
      { name: "a right granted after an allocation without a user", exchanges: [creation, allocation(), granted] },
      { name: "a right granted after an allocation for another user", exchanges: [creation, allocation("b"), granted] },
      { name: "a right held since an allocation for the user", exchanges: [creation, ownAllocation, nothingNew] },
    ],
    broken: [
      { name: "a right listed as new twice", exchanges: [granted, granted] },
      { name: "a revoked right missing from the newly granted ones", exchanges: [granted, revocation, nothingNew] },
      { name: "a new user's right missing from the newly granted ones", exchanges: [creation, nothingNew] },
      { name: "a right listed as new after an allocation granted it", exchanges: [allocation("a"), granted] },
      { name: "a right missing after an allocation without a user", exchanges: [creation, allocation(), nothingNew] },
      {
        name: "a right missing after an allocation for another user",
        exchanges: [creation, allocation("b"), nothingNew],
      },
      { name: "a right listed as new although the user held it", exchanges: [listing, granted] },
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
        expected: `${right} ${isHeld ? "not listed, since the user held it" : "among the newly granted rights"}`,
        actual: isHeld ? "listed as newly granted" : "missing",
        pointer: "/newlyGrantedRights",
        keyword: how,
      },
    ];
  });
  return withFindings(findings);
}
