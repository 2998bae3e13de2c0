import type { LedgerState, User } from "../ledger/ledger-state.ts";
import type { Call, Operation, Outcome, WorldView } from "./_operation.ts";
import { lastIdOf, pageTokenAfter } from "./_page-token.ts";
import { invalidArgument } from "./_refusal.ts";
import { userJson } from "./_user-json.ts";

/** `GET /v2/users`: the users of one identity provider by ascending id (document 4.2; facts, ledger-api 4.6). */
export const listUsers: Operation = {
  operationId: "getV2Users",
  mayCall: ({ caller }) =>
    caller.type === "everyone" ||
    (caller.type === "user" && (caller.isParticipantAdmin || caller.isIdentityProviderAdmin)),
  perform: list,
};

function list(call: Call, { ledger }: WorldView): Outcome {
  const pageSize = Number(call.query["pageSize"] ?? 0);
  if (pageSize < 0) return invalidArgument("Page size must be non-negative");
  const token = String(call.query["pageToken"] ?? "");
  const lastId = token === "" ? undefined : lastIdOf(token);
  if (token !== "" && lastId === undefined) {
    return invalidArgument("Failed to decode base64 encoded page token");
  }
  const size = pageSizeOf(pageSize, ledger);
  const users = pageAfter(ledger, lastId, size, providerOf(call));
  // A full page has a token even if nothing follows (facts, ledger-api 4.6).
  const nextPageToken = users.length === size ? pageTokenAfter(users.at(-1)?.id ?? "") : "";
  return {
    type: "answered",
    body: { users: users.map((user) => userJson(user, call.release)), nextPageToken },
    changes: [],
  };
}

function pageSizeOf(asked: number, { limits }: LedgerState): number {
  return Math.min(asked === 0 ? limits.usersPageSizeDefault : asked, limits.usersPageSizeMax);
}

/** An administrator of one identity provider sees its users; others see those of the default one, or all. */
function providerOf({ caller, release }: Call): string | undefined {
  if (caller.type === "user" && !caller.isParticipantAdmin) return caller.identityProviderId;
  return release.isByLetter ? undefined : "";
}

function pageAfter(
  ledger: LedgerState,
  lastId: string | undefined,
  size: number,
  identityProviderId: string | undefined,
): readonly User[] {
  const page: User[] = [];
  for (const [id, user] of ledger.users.entries(lastId)) {
    if (page.length === size) break;
    const isListed = identityProviderId === undefined || user.identityProviderId === identityProviderId;
    if (id !== lastId && isListed) page.push(user);
  }
  return page;
}
