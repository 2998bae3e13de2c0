import { textAt } from "../members.ts";
import { failedWrite, Register } from "../register.ts";
import { inconclusive, noFindings, notApplicable, type TracedExchange, type TraceRule, withFindings } from "../rule.ts";

const right = { kind: { CanActAs: { value: { party: "alice::1220ab" } } } };
const grant = {
  operationId: "postV2UsersUser-idRights",
  target: "/v2/users/a/rights",
  requestBody: { userId: "a", rights: [right] },
  status: 200,
  body: JSON.stringify({ newlyGrantedRights: [right] }),
} as const;
const update = {
  operationId: "patchV2UsersUser-id",
  target: "/v2/users/a",
  requestBody: { user: { id: "a" }, updateMask: { paths: ["is_deactivated"] } },
  status: 200,
  body: '{"user":{"id":"a"}}',
} as const;
const deletion = { operationId: "deleteV2UsersUser-id", target: "/v2/users/a", status: 200, body: "{}" } as const;
const creation = {
  operationId: "postV2Users",
  target: "/v2/users",
  requestBody: { user: { id: "a" }, rights: [] },
  status: 200,
  body: '{"user":{"id":"a"}}',
} as const;
const notFound = {
  status: 404,
  body: '{"code":"USER_NOT_FOUND","cause":"x","context":{},"errorCategory":11}',
} as const;

const writes: ReadonlySet<string> = new Set([creation.operationId, deletion.operationId]);
/** What says by its response whether there is the user of its path. */
const uses: ReadonlySet<string> = new Set([
  grant.operationId,
  update.operationId,
  "patchV2UsersUser-idRights",
  "getV2UsersUser-idRights",
  "getV2UsersUser-id",
]);

/** Which error it has to be is not shown; releases respond 404 (Canton 3.5, ApiUserManagementService.scala). */
export const unknownUsersRefused: TraceRule = {
  type: "trace",
  id: "unknown-users-refused",
  section: "4.2",
  severity: "warning",
  summary: "A user that there is not is neither updated nor read, and is granted no rights.",
  operations: [...writes, ...uses],
  assumesExclusiveUse: true,
  watch(memories) {
    /** Whether there is the user. */
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
          users.writeEnds(written, span, status === 200 ? { type: "left", value: isThere } : failedWrite(status));
        }
        if (!uses.has(operation.operationId)) return notApplicable;
        const id = pathParameters["user-id"] ?? "";
        const before = users.expected(id, span);
        const isFound = status === 200 ? true : isNotFound(traced) ? false : undefined;
        if (isFound !== undefined) users.seen(id, span, isFound);
        if (status !== 200) return notApplicable;
        if (before.type === "unknown") return inconclusive(before.reason);
        return before.value
          ? noFindings
          : withFindings([{ expected: "an error, since there is no such user", actual: `200 for ${id}`, pointer: "" }]);
      },
    };
  },
  examples: {
    kept: [
      { name: "a user who was created", exchanges: [creation, grant, update] },
      { name: "one who was created again", exchanges: [deletion, creation, grant] },
    ],
    broken: [
      { name: "a grant to a user who was deleted", exchanges: [deletion, grant] },
      { name: "an update of a user who was deleted", exchanges: [deletion, update] },
      { name: "a grant to a user whom nobody could find", exchanges: [{ ...update, ...notFound }, grant] },
    ],
  },
};

function writtenUser({ operation, pathParameters, requestJson, responseJson }: TracedExchange): string | undefined {
  if (!writes.has(operation.operationId)) return undefined;
  if (operation.operationId === deletion.operationId) return pathParameters["user-id"];
  return textAt(requestJson, "user", "id") ?? textAt(responseJson, "user", "id");
}

/** Another 404 may be a gateway's, or of another thing. */
function isNotFound({ status, responseJson }: TracedExchange): boolean {
  return status === 404 && textAt(responseJson, "code") === "USER_NOT_FOUND";
}
