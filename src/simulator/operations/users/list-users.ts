import type { LedgerState, User } from "../../ledger/ledger-state.ts";
import { pageByLetter, pageOf, type RequestedPage, requestedPage } from "../_page.ts";
import { isSomeUserAdministrator } from "../_user-administrator.ts";
import type { Call, Operation, OperationResult, WorldView } from "../operation.ts";
import { invalidArgument } from "../refusal.ts";
import { CachedMembers } from "../response-body.ts";
import { userJson } from "./_user-json.ts";

/** `GET /v2/users`: the users of one identity provider by ascending id (spec §4.2; Canton 3.5, ApiUserManagementService.scala). */
export const listUsers: Operation = {
  operationId: "getV2Users",
  mayCall: ({ caller }) => isSomeUserAdministrator(caller),
  perform: list,
};

function list(call: Call, { ledger }: WorldView): OperationResult {
  const { usersPageSizeDefault, usersPageSizeMax } = ledger.limits;
  // A page of no users would say that there are no more users (spec §4.2).
  if (call.release.isByLetter && call.query["pageSize"] === 0) return invalidArgument("Page size must be positive");
  const limits = { sizeDefault: usersPageSizeDefault, sizeMax: usersPageSizeMax };
  const requested = requestedPage(Number(call.query["pageSize"] ?? 0), String(call.query["pageToken"] ?? ""), limits);
  if (requested.type !== "page") return requested;
  const provider = providerOf(call);
  const key = `${requested.size} ${provider === undefined ? "all" : `of ${provider}`}\n${requested.lastId ?? ""}`;
  const known = call.rows.pagesOfUsers.get(key);
  if (known?.users === ledger.users) return { type: "succeeded", body: known.members, changes: [] };
  const members = usersPage(call, ledger, requested, provider);
  call.rows.pagesOfUsers.set(key, { users: ledger.users, size: requested.size, members });
  return { type: "succeeded", body: members, changes: [] };
}

function usersPage(
  { release, rows }: Call,
  { users }: LedgerState,
  requested: RequestedPage,
  provider: string | undefined,
): CachedMembers {
  const takePage = release.isByLetter ? pageByLetter : pageOf;
  const page = takePage(
    users.entries(requested.lastId),
    requested,
    ({ identityProviderId }) => provider === undefined || identityProviderId === provider,
  );
  const toJson = (user: User) => userJson(user, release);
  return new CachedMembers({
    users: page.rows.map((user) => rows.users.of(user, toJson)),
    nextPageToken: page.nextPageToken,
  });
}

/** An administrator of an identity provider sees its users; other callers see those of the default one, or all users in profile `spec`. */
function providerOf({ caller, release }: Call): string | undefined {
  if (caller.type === "user" && !caller.isParticipantAdmin) return caller.identityProviderId;
  return release.isByLetter ? undefined : "";
}
