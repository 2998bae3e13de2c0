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
import { actAs, allocationExample, creation, grant, listedRights, revocation } from "../sample-users.ts";
import { type Holdings, heldIn, holdingOf, rightsConcerning, rightsListing, watchRights } from "./_held-rights.ts";
import { rightKey } from "./_rights.ts";

const allocation = allocationExample({ userId: "a" });

/** Listing rights is an additional operation; it shows the effect of documented ones. */
export const rightsAreListed: TraceRule = {
  type: "trace",
  id: "rights-are-listed",
  section: "4.2",
  severity: "error",
  summary: "The list of a user's rights shows grants, allocations and revocations.",
  operations: rightsConcerning,
  assumesExclusiveUse: true,
  watch: (memories) =>
    watchRights(memories, (traced, before) => {
      if (traced.operation.operationId !== rightsListing) return notApplicable;
      return before.type === "unknown" ? inconclusive(before.reason) : wrongRights(traced, before.value);
    }),
  examples: {
    kept: [
      { name: "a granted right is listed", exchanges: [grant, listedRights([actAs()])] },
      { name: "a revoked right is not listed", exchanges: [grant, revocation, listedRights([])] },
      { name: "a right from an allocation is listed", exchanges: [allocation, listedRights([actAs()])] },
      { name: "the rights of a new user are listed", exchanges: [creation, listedRights([])] },
    ],
    broken: [
      { name: "a granted right is missing", exchanges: [grant, listedRights([])] },
      { name: "a revoked right is still listed", exchanges: [grant, revocation, listedRights([actAs()])] },
      { name: "a right that no allocation granted is listed", exchanges: [allocation, listedRights([])] },
      {
        name: "an allocation for another user gives the right",
        exchanges: [creation, allocationExample({ userId: "b" }), listedRights([actAs()])],
      },
      { name: "a right that a new user does not have is listed", exchanges: [creation, listedRights([actAs()])] },
    ],
  },
};

function wrongRights({ responseJson }: TracedExchange, known: Holdings): RuleResult {
  const listed = new Set(listAt(responseJson, "rights").map(rightKey));
  const missing = listed.has(undefined) ? [] : heldIn(known).filter(([right]) => !listed.has(right));
  const stray = [...listed].filter((right) => right !== undefined && holdingOf(known, right) === "revoked");
  const pointer = "/rights";
  const found = (expected: string, actual: string, keyword: string): Finding => ({
    expected,
    actual,
    pointer,
    keyword,
  });
  return withFindings([
    ...missing.map(([right, how]) => found(`${right}, which is ${how}`, "not listed", how)),
    ...stray.map((right) => found(`no ${right}, which the user does not hold`, "listed", "revoked")),
  ]);
}
