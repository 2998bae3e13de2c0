import { failedWrite, type Outcome, Register } from "../register.ts";
import {
  type Finding,
  type Look,
  looked,
  notConcerned,
  type TracedExchange,
  type TraceRule,
  unknown,
} from "../rule.ts";
import { listAt, memberAt, textAt } from "./_members.ts";
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

/** By right: how the user came to it, or that it has gone; what is not in the map is not known. */
type Holdings = ReadonlyMap<string, "granted" | "allocated" | "revoked">;

/** Stands for all rights that are not named, where that is known. */
const everyOther = "every other";
/** Rights of one user that are remembered. */
const holdingsMax = 2000;
const grants = "postV2UsersUser-idRights";
const revocations = "patchV2UsersUser-idRights";
const others: ReadonlySet<string> = new Set([
  "postV2Users",
  "deleteV2UsersUser-id",
  "patchV2UsersUser-idIdentity-provider-id",
]);

export const grantsAreIdempotent: TraceRule = {
  type: "trace",
  id: "grants-are-idempotent",
  section: "4.2",
  severity: "error",
  summary: "A right that a user holds is not newly granted, and one that it does not hold is.",
  operations: [grants, revocations, "postV2PartiesExternalAllocate", ...others],
  assumesQuiet: true,
  watch(memories) {
    const held = new Register<Holdings>(memories);
    return {
      begins(traced) {
        for (const user of changedUsers(traced)) held.writeBegins(user);
      },
      ends(traced) {
        const [user] = changedUsers(traced);
        if (user === undefined) return notConcerned;
        const { span, operation } = traced;
        const before = held.before(user, span);
        const known: Holdings = before.type === "known" ? before.value : new Map();
        held.writeEnds(user, span, outcomeOf(traced, known));
        if (operation.operationId !== grants || traced.status !== 200) return notConcerned;
        return before.type === "unknown" ? unknown(before.why) : wrongGrants(traced, known);
      },
    };
  },
  examples: {
    kept: [
      { name: "nothing new the second time", exchanges: [granted, nothingNew] },
      { name: "granted again after it was revoked", exchanges: [granted, revocation, granted] },
    ],
    broken: [
      { name: "granted twice", exchanges: [granted, granted] },
      { name: "nothing granted after it was revoked", exchanges: [granted, revocation, nothingNew] },
      { name: "nothing granted to a user who was just created", exchanges: [creation, nothingNew] },
      { name: "granted after an allocation gave it", exchanges: [allocation(), granted] },
    ],
  },
};

function allocation(): TraceRule["examples"]["kept"][number]["exchanges"][number] {
  return {
    operationId: "postV2PartiesExternalAllocate",
    target: "/v2/parties/external/allocate",
    requestBody: { synchronizer: "main::1220ab", onboardingTransactions: [{ transaction: "" }], userId: "a" },
    status: 200,
    body: '{"partyId":"alice::1220ab"}',
  };
}

/** The users whose rights this exchange may change. */
function changedUsers({ operation, pathParameters, requestJson }: TracedExchange): readonly string[] {
  const { operationId } = operation;
  const isAllocation = operationId === "postV2PartiesExternalAllocate";
  if (isAllocation) return [textAt(requestJson, "userId") ?? ""].filter((user) => user !== "");
  if (operationId === "postV2Users") return [textAt(requestJson, "user", "id") ?? ""];
  const isOfUser = operationId === grants || operationId === revocations || others.has(operationId);
  return isOfUser ? [pathParameters["user-id"] ?? ""] : [];
}

function outcomeOf(traced: TracedExchange, known: Holdings): Outcome<Holdings> {
  const { operation, status, requestJson, responseJson } = traced;
  if (status !== 200) return failedWrite(status);
  switch (operation.operationId) {
    case grants:
      return { type: "left", value: withRights(known, listAt(requestJson, "rights").map(rightKey), "granted") };
    case revocations:
      return { type: "left", value: withRights(known, listAt(requestJson, "rights").map(rightKey), "revoked") };
    case "postV2PartiesExternalAllocate": {
      // An allocation that is not waited for gives the right later.
      const isWaitedFor = memberAt(requestJson, "waitForAllocation") !== false;
      const party = textAt(responseJson, "partyId");
      if (!isWaitedFor || party === undefined) return { type: "unknown" };
      return { type: "left", value: withRights(known, [`CanActAs ${party}`], "allocated") };
    }
    case "postV2Users": {
      // Nobody had rights on a user that there was not.
      const rights = listAt(requestJson, "rights").map(rightKey);
      if (rights.includes(undefined)) return { type: "unknown" };
      return { type: "left", value: withRights(new Map([[everyOther, "revoked"]]), rights, "granted") };
    }
    default:
      return { type: "unknown" };
  }
}

function withRights(
  known: Holdings,
  rights: readonly (string | undefined)[],
  how: "granted" | "allocated" | "revoked",
): Holdings {
  const all = new Map(known);
  for (const right of rights) if (right !== undefined) all.set(right, how);
  return all.size > holdingsMax ? new Map() : all;
}

function wrongGrants({ requestJson, responseJson }: TracedExchange, known: Holdings): Look {
  const requested = listAt(requestJson, "rights").map(rightKey);
  const newly = listAt(responseJson, "newlyGrantedRights").map(rightKey);
  const findings = [...new Set(requested)].flatMap((right): readonly Finding[] => {
    const how = right === undefined ? undefined : (known.get(right) ?? known.get(everyOther));
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
  return looked(findings);
}
