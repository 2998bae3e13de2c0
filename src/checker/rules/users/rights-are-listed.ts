import { listAt, textAt } from "../members.ts";
import {
  type BoundedMap,
  type Finding,
  inconclusive,
  notApplicable,
  type RuleResult,
  type TracedExchange,
  type TraceRule,
  withFindings,
} from "../rule.ts";
import { actAs, allocationExample, creation, grant, listedRights, revocation } from "../sample-users.ts";
import { allocations, allocationUser } from "./_allocations.ts";
import {
  grants,
  type Holdings,
  heldIn,
  holdingOf,
  rightsConcerning,
  rightsListing,
  watchRights,
} from "./_held-rights.ts";
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
  watch(memories) {
    const parties = memories.map<ReadonlySet<string>>();
    const rights = watchRights(memories, (traced, before) => {
      if (traced.operation.operationId !== rightsListing) return notApplicable;
      const strays = strayRights(traced, parties);
      if (strays.length > 0) return withFindings(strays);
      return before.type === "unknown" ? inconclusive(before.reason) : wrongRights(traced, before.value);
    });
    return {
      begins: (traced) => rights.begins?.(traced),
      ends(traced) {
        rememberActors(traced, parties);
        return rights.ends(traced);
      },
    };
  },
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
      {
        name: "the party of a probe gives rights to a user whom no request names",
        exchanges: [
          { ...allocationExample({}), context: { ownPrefix: "a" } },
          { ...listedRights([actAs()]), context: { ownPrefix: "a" } },
        ],
      },
      { name: "a right that a new user does not have is listed", exchanges: [creation, listedRights([actAs()])] },
    ],
  },
};

/** Remembers which users may act as a party that a probe allocated: those whom its own requests name. */
function rememberActors(traced: TracedExchange, parties: BoundedMap<ReadonlySet<string>>): void {
  const { operation, status, requestJson, responseJson, pathParameters, context } = traced;
  if (status !== 200 || context.ownPrefix === undefined) return;
  const party = allocations.has(operation.operationId) ? textAt(responseJson, "partyId") : undefined;
  if (party?.startsWith(context.ownPrefix) === true) parties.set(party, new Set([allocationUser(traced) ?? ""]));
  if (operation.operationId !== grants) return;
  for (const right of listAt(requestJson, "rights").map(rightKey)) {
    const actors = parties.get(partyOf(right));
    if (actors !== undefined) parties.set(partyOf(right), new Set([...actors, pathParameters["user-id"] ?? ""]));
  }
}

/** Listed rights on a party of the probe that no request of the probe gave to this user. */
function strayRights(
  { responseJson, pathParameters }: TracedExchange,
  parties: BoundedMap<ReadonlySet<string>>,
): readonly Finding[] {
  return listAt(responseJson, "rights")
    .map(rightKey)
    .filter((right) => parties.get(partyOf(right))?.has(pathParameters["user-id"] ?? "") === false)
    .map((right) => ({
      expected: `no ${right}, since the allocation of the party does not name this user`,
      actual: "listed",
      pointer: "/rights",
      keyword: "allocated",
    }));
}

function partyOf(right: string | undefined): string {
  return right?.split(" ")[1] ?? "";
}

function wrongRights({ responseJson, pathParameters }: TracedExchange, known: Holdings): RuleResult {
  const listed = new Set(listAt(responseJson, "rights").map(rightKey));
  const missing = listed.has(undefined) ? [] : heldIn(known).filter(([right]) => !listed.has(right));
  const stray = [...listed].filter((right) => right !== undefined && holdingOf(known, right) === "revoked");
  const pointer = "/rights";
  const found = (expected: string, actual: string, keyword: string): Finding => ({
    expected,
    actual,
    pointer,
    keyword,
    user: pathParameters["user-id"],
  });
  return withFindings([
    ...missing.map(([right, how]) => found(`${right}, which is ${how}`, "not listed", how)),
    ...stray.map((right) => found(`no ${right}, which the user does not hold`, "listed", "revoked")),
  ]);
}
