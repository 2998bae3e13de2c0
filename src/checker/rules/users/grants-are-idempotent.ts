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
import { actAs, allocationExample, creation, grant, listedRights, repeatedGrant, revocation } from "../sample-users.ts";
import { grants, type Holdings, holdingOf, rightsConcerning, watchRights } from "./_held-rights.ts";
import { rightKey } from "./_rights.ts";

const ownAllocation = {
  operationId: "postV2Parties",
  target: "/v2/parties",
  requestBody: { partyIdHint: "alice", userId: "a" },
  status: 200,
  body: '{"partyDetails":{"party":"alice::1220ab"}}',
} as const;

export const grantsAreIdempotent: TraceRule = {
  type: "trace",
  id: "grants-are-idempotent",
  section: "4.2",
  severity: "error",
  summary: "A grant lists a right as newly granted if and only if the user did not hold it.",
  operations: rightsConcerning,
  assumesExclusiveUse: true,
  watch: (memories) =>
    watchRights(memories, (traced, before) => {
      const { operation, status, requestJson } = traced;
      if (operation.operationId !== grants || status !== 200) return notApplicable;
      if (requestJson === undefined) return inconclusive("the recording does not show the granted rights");
      return before.type === "unknown" ? inconclusive(before.reason) : wrongGrants(traced, before.value);
    }),
  examples: {
    kept: [
      { name: "a repeated grant lists no new right", exchanges: [grant, repeatedGrant] },
      { name: "a right granted again after a revocation", exchanges: [grant, revocation, grant] },
      {
        name: "a right granted after an allocation without a user",
        exchanges: [creation, allocationExample({ userId: "" }), grant],
      },
      {
        name: "a right granted after an allocation for another user",
        exchanges: [creation, allocationExample({ userId: "b" }), grant],
      },
      { name: "a right held since an allocation for the user", exchanges: [creation, ownAllocation, repeatedGrant] },
    ],
    broken: [
      { name: "a right listed as new twice", exchanges: [grant, grant] },
      { name: "a revoked right missing from the newly granted ones", exchanges: [grant, revocation, repeatedGrant] },
      { name: "a new user's right missing from the newly granted ones", exchanges: [creation, repeatedGrant] },
      {
        name: "a right listed as new after an allocation granted it",
        exchanges: [allocationExample({ userId: "a" }), grant],
      },
      {
        name: "a right missing after an allocation without a user",
        exchanges: [creation, allocationExample({ userId: "" }), repeatedGrant],
      },
      {
        name: "a right missing after an allocation for another user",
        exchanges: [creation, allocationExample({ userId: "b" }), repeatedGrant],
      },
      { name: "a right listed as new although the user held it", exchanges: [listedRights([actAs()]), grant] },
    ],
  },
};

function wrongGrants({ requestJson, responseJson, pathParameters }: TracedExchange, known: Holdings): RuleResult {
  const requested = listAt(requestJson, "rights").map(rightKey);
  const newly = listAt(responseJson, "newlyGrantedRights").map(rightKey);
  const findings = [...new Set(requested)].flatMap((right): readonly Finding[] => {
    const how = right === undefined ? undefined : holdingOf(known, right);
    const isHeld = how !== "revoked";
    if (how === undefined || isHeld !== newly.includes(right)) return [];
    const expected = `${right} ${isHeld ? "not listed, since the user held it" : "among the newly granted rights"}`;
    const actual = isHeld ? "listed as newly granted" : "missing";
    return [{ expected, actual, pointer: "/newlyGrantedRights", keyword: how, user: pathParameters["user-id"] }];
  });
  return withFindings(findings);
}
