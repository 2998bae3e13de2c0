import { textAt } from "../members.ts";
import { failedWrite, Register } from "../register.ts";
import { inconclusive, noFindings, notApplicable, type TracedExchange, type TraceRule, withFindings } from "../rule.ts";
import { ledgerError } from "../sample-bodies.ts";
import { allocationExample, creation, deletion, grant, listedRights, update } from "../sample-users.ts";
import { allocations, allocationUser } from "./_allocations.ts";

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
  severity: "warning",
  summary: "An unknown user cannot be updated, read, granted rights, or given a new party.",
  operations: [...writes, ...uses, ...allocations],
  assumesExclusiveUse: true,
  watch(memories) {
    /** Whether the user exists. */
    const users = new Register<boolean>(memories);
    return {
      begins(traced) {
        const id = writtenUser(traced);
        if (id !== undefined) users.writeBegins(id);
      },
      ends(traced) {
        const { operation, status, span, pathParameters } = traced;
        const written = writtenUser(traced);
        if (written !== undefined) {
          const isThere = operation.operationId === creation.operationId;
          users.writeEnds(written, span, status === 200 ? { type: "written", value: isThere } : failedWrite(status));
        }
        const id = uses.has(operation.operationId) ? pathParameters["user-id"] : allocationUser(traced);
        if (id === undefined) return notApplicable;
        const before = users.expected(id, span);
        const isFound = status === 200 ? true : isNotFound(traced) ? false : undefined;
        if (isFound !== undefined) users.seen(id, span, isFound);
        if (status !== 200) return notApplicable;
        if (before.type === "unknown") return inconclusive(before.reason);
        if (before.value) return noFindings;
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
      { name: "a grant to a deleted user", exchanges: [deletion, grant] },
      { name: "an update of a deleted user", exchanges: [deletion, update] },
      { name: "a deleted user is read", exchanges: [deletion, listedRights([])] },
      { name: "an allocation for a deleted user", exchanges: [deletion, allocationExample({ userId: "a" })] },
      {
        name: "a grant to a user that an earlier request did not find",
        exchanges: [{ ...update, ...notFound }, grant],
      },
    ],
  },
};

function writtenUser({ operation, pathParameters, requestJson, responseJson }: TracedExchange): string | undefined {
  if (!writes.has(operation.operationId)) return undefined;
  if (operation.operationId === deletion.operationId) return pathParameters["user-id"];
  return textAt(requestJson, "user", "id") ?? textAt(responseJson, "user", "id");
}

/** Another 404 may come from a gateway or concern something else. */
function isNotFound({ status, responseJson }: TracedExchange): boolean {
  return status === 404 && textAt(responseJson, "code") === "USER_NOT_FOUND";
}
