import { textAt } from "../members.ts";
import { isOfAnotherCheck } from "../probe-ids.ts";
import { failedWrite, Register } from "../register.ts";
import {
  inconclusive,
  isBefore,
  noFindings,
  notApplicable,
  type TracedExchange,
  type TraceRule,
  withFindings,
} from "../rule.ts";
import { ledgerError, pageOfUsers } from "../sample-bodies.ts";
import { allocationExample, creation, deletion, grant, listedRights, update, users } from "../sample-users.ts";
import { allocations, allocationUser } from "./_allocations.ts";
import { callerOf, isSameCaller } from "./_callers.ts";
import { type Walk, Walks, walkOperations } from "./_walks.ts";

const notFound = { status: 404, body: ledgerError };

const writes: ReadonlySet<string> = new Set([creation.operationId, deletion.operationId]);
/** Operations whose response shows whether the user in the path exists. */
const uses: ReadonlySet<string> = new Set([
  grant.operationId,
  update.operationId,
  "patchV2UsersUser-idRights",
  "getV2UsersUser-idRights",
  "getV2UsersUser-id",
]);

/** The spec does not say which error; releases respond with 404 (Canton 3.5, ApiUserManagementService.scala). */
export const unknownUsersRefused: TraceRule = {
  type: "trace",
  id: "unknown-users-refused",
  section: "4.2",
  severity: "error",
  inSpec: { warning: "all", because: "the spec does not say what happens to an unknown user" },
  summary: "An unknown user cannot be updated, read, granted rights, or given a new party.",
  operations: [...new Set([...walkOperations, ...writes, ...uses, ...allocations])],
  assumesExclusiveUse: true,
  watch(memories) {
    /** Whether the user exists. */
    const known = new Register<boolean>(memories);
    const walks = new Walks(memories);
    /** Ids of the last whole walk, which lists all users. */
    let listed: Listed | undefined;
    return {
      begins(traced) {
        walks.begins(traced);
        const id = writtenUser(traced);
        if (id !== undefined) known.writeBegins(id);
      },
      ends(traced) {
        const { operation, status, span, pathParameters } = traced;
        const step = walks.ends(traced);
        const isWhole = step.type === "page" && step.walk.nextToken === "" && walks.isUndisturbed(step.walk);
        if (isWhole) listed = { ids: step.walk.ids, span: step.walk.span, caller: callerOf(traced) };
        const written = writtenUser(traced);
        if (written !== undefined) {
          const isThere = operation.operationId === creation.operationId;
          known.writeEnds(written, span, status === 200 ? { type: "written", value: isThere } : failedWrite(status));
        }
        const id = uses.has(operation.operationId) ? pathParameters["user-id"] : allocationUser(traced);
        if (id === undefined) return notApplicable;
        const before = known.expected(id, span);
        const isFound = status === 200 ? true : isNotFound(traced) ? false : undefined;
        if (isFound !== undefined) known.seen(id, span, isFound);
        if (status !== 200) return notApplicable;
        const isMissing = listed !== undefined && walks.isUndisturbed(listed) && isUnlisted(traced, id, listed);
        if (before.type === "unknown" && !isMissing) return inconclusive(before.reason);
        if (before.type === "known" && before.value) return noFindings;
        const expected = "an error, since the user does not exist";
        return withFindings([{ expected, actual: `200 for the unknown user ${id}`, pointer: "" }]);
      },
    };
  },
  examples: {
    kept: [
      { name: "a grant to a new user", exchanges: [creation, grant, update] },
      { name: "a grant to a user that was deleted and created again", exchanges: [deletion, creation, grant] },
    ],
    broken: [
      { isWarning: true, name: "a grant to a deleted user", exchanges: [deletion, grant] },
      { isWarning: true, name: "an update of a deleted user", exchanges: [deletion, update] },
      { isWarning: true, name: "a deleted user is read", exchanges: [deletion, listedRights([])] },
      {
        isWarning: true,
        name: "an allocation for a deleted user",
        exchanges: [deletion, allocationExample({ userId: "a" })],
      },
      {
        isWarning: true,
        name: "a grant to a user that no page of a walk lists",
        exchanges: [{ ...users, body: pageOfUsers(["b"], "") }, grant],
      },
      {
        isWarning: true,
        name: "a grant to a user that an earlier request did not find",
        exchanges: [{ ...update, ...notFound }, grant],
      },
    ],
  },
};

/** A walk through all pages. */
interface Listed extends Pick<Walk, "ids" | "span"> {
  readonly caller: string;
}

/** A caller sees the users of one identity provider, so only requests of this caller and for the default one count. */
function isUnlisted(traced: TracedExchange, id: string, { ids, span, caller }: Listed): boolean {
  const { operation, requestJson, context } = traced;
  const isCounted = operation.operationId === grant.operationId || allocations.has(operation.operationId);
  const isOfDefault = isCounted && (textAt(requestJson, "identityProviderId") ?? "") === "";
  if (!isOfDefault || !isSameCaller(caller, callerOf(traced)) || isOfAnotherCheck(id, context)) return false;
  return !ids.has(id) && isBefore(span, traced.span);
}

function writtenUser({ operation, pathParameters, requestJson, responseJson }: TracedExchange): string | undefined {
  if (!writes.has(operation.operationId)) return undefined;
  if (operation.operationId === deletion.operationId) return pathParameters["user-id"];
  return textAt(requestJson, "user", "id") ?? textAt(responseJson, "user", "id");
}

/** Another 404 may come from a gateway or concern something else. */
function isNotFound({ status, responseJson }: TracedExchange): boolean {
  return status === 404 && textAt(responseJson, "code") === "USER_NOT_FOUND";
}
