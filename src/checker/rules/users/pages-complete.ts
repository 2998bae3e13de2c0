import { listAt, textAt } from "../members.ts";
import { failedWrite, Register } from "../register.ts";
import {
  type Finding,
  inconclusive,
  isBefore,
  noFindings,
  notApplicable,
  type RuleResult,
  type Span,
  type TracedExchange,
  type TraceRule,
  withFindings,
} from "../rule.ts";
import { pageOfUsers } from "../sample-bodies.ts";
import { creation, update, users } from "../sample-users.ts";
import { callerOf, isSameCaller } from "./_callers.ts";
import { usersChanging, type Walk, Walks, walkOperations } from "./_walks.ts";

const both = { ...users, body: pageOfUsers(["a", "b"], "") };
const createdUser = { ...creation, body: '{"user":{"id":"a","identityProviderId":""}}' };
const patch = { ...update, target: "/v2/users/c", body: '{"user":{"id":"c","identityProviderId":""}}' };

/** All users of a complete walk, and its caller. */
interface Census {
  readonly caller: string;
  readonly ids: ReadonlySet<string>;
  /** Why the walk may have ended too early; empty if its last page has an empty `nextPageToken`. */
  readonly ending: string;
  readonly bytes: number;
}

/** A user of the default identity provider that an update or a creation showed. */
interface ShownUser {
  readonly id: string;
  readonly caller: string;
  readonly span: Span;
}

const key = "users";
/** Updated and created users that the next walk has to list. */
const shownMax = 100;

/** Callers may see different users, so only walks with the same token are compared. */
export const pagesComplete: TraceRule = {
  type: "trace",
  id: "pages-complete",
  section: "4.2",
  severity: "error",
  summary:
    "The pages of a walk list all existing users, whatever the page size; updated and created users are among them.",
  operations: ["patchV2UsersUser-id", ...walkOperations],
  assumesExclusiveUse: true,
  watch(memories) {
    const walks = new Walks(memories);
    const census = new Register<Census>(memories, ({ bytes }) => bytes);
    let isUndecided = false;
    /** The last walk whose last page has a token, unless that page may be full. */
    let unfinished: UnfinishedWalk | undefined;
    const shown = memories.map<readonly ShownUser[]>();
    const show = (user: ShownUser) => shown.set(key, [...(shown.get(key) ?? []), user].slice(-shownMax));
    return {
      begins(traced) {
        const { operation } = traced;
        if (!usersChanging.has(operation.operationId)) return;
        walks.begins(traced);
        census.writeBegins(key);
      },
      ends(traced) {
        const { operation, span } = traced;
        if (usersChanging.has(operation.operationId)) {
          const isOnlyChange = walks.isOnlyChange(traced);
          walks.ends(traced);
          // A user that an undecided change removes later is not missing.
          isUndecided ||= traced.status !== 200 && failedWrite(traced.status).type === "undecided";
          const created = operation.operationId === "postV2Users" ? userIn(traced) : undefined;
          if (created === undefined) shown.delete(key);
          else if (isOnlyChange) show(created);
          census.writeEnds(key, span, traced.status === 200 ? { type: "unknown" } : failedWrite(traced.status));
          return notApplicable;
        }
        if (operation.operationId === "patchV2UsersUser-id") {
          const user = userIn(traced);
          if (user !== undefined && !isUndecided && walks.isUndisturbed(user)) show(user);
          return missedBy(user, census);
        }
        const step = walks.ends(traced);
        if (step.type === "no-page") return notApplicable;
        if (step.type === "lost") return inconclusive(step.reason);
        const { ids, span: whole, bytes } = step.walk;
        if (step.walk.nextToken !== "") {
          unfinished = mayBeFull(traced) ? undefined : { walk: step.walk, caller: callerOf(traced) };
          const known = census.expected(key, whole);
          return known.type === "known" && unfinished !== undefined
            ? withFindings(endless(unfinished, known.value))
            : notApplicable;
        }
        const hasToken = textAt(traced.responseJson, "nextPageToken") !== undefined;
        const ending = hasToken ? "" : ", whose last page has no `nextPageToken`";
        const found = { caller: callerOf(traced), ids, ending, bytes };
        const isEndless =
          unfinished !== undefined && unfinished.walk !== step.walk && walks.isUndisturbed(unfinished.walk);
        const tooLong = isEndless && unfinished !== undefined ? endless(unfinished, found) : [];
        unfinished = undefined;
        const known = census.expected(key, whole);
        census.seen(key, whole, found);
        const missed =
          !isUndecided && walks.isUndisturbed(step.walk) ? unlisted(shown.get(key) ?? [], found, whole) : [];
        if (tooLong.length > 0) return withFindings(tooLong);
        if (missed.length > 0) return withFindings(missed);
        if (known.type === "unknown") return inconclusive(known.reason);
        if (!isSameCaller(known.value.caller, found.caller))
          return inconclusive("the previous walk may have used another token");
        return withFindings(differences(known.value, found));
      },
    };
  },
  examples: {
    kept: [
      {
        name: "walks with two page sizes",
        exchanges: [
          both,
          { ...users, target: "/v2/users?pageSize=1", body: pageOfUsers(["a"], "t") },
          { ...users, target: "/v2/users?pageSize=1&pageToken=t", body: pageOfUsers(["b"], "") },
        ],
      },
      {
        name: "a user created between two walks",
        exchanges: [both, creation, { ...users, body: pageOfUsers(["a", "b", "c"], "") }],
      },
    ],
    broken: [
      {
        name: "a user missing between two pages",
        exchanges: [
          { ...users, body: pageOfUsers(["a", "b", "c"], "") },
          { ...users, target: "/v2/users?pageSize=1", body: pageOfUsers(["a"], "t") },
          { ...users, target: "/v2/users?pageSize=1&pageToken=t", body: pageOfUsers(["c"], "") },
        ],
      },
      {
        name: "a token after all users",
        exchanges: [both, { ...users, body: pageOfUsers(["a", "b"], "t") }],
      },
      { name: "an updated user that the walk does not list", exchanges: [both, patch] },
      { name: "a deactivated user that the next walk does not list", exchanges: [patch, both] },
      {
        name: "a created user that the next walk does not list",
        exchanges: [createdUser, { ...users, body: pageOfUsers([], "") }],
      },
      { name: "a user that no earlier walk lists", exchanges: [{ ...users, body: pageOfUsers(["a"], "") }, both] },
    ],
  },
};

/** An updated user of the default identity provider that the previous walk does not list. */
function missedBy(user: ShownUser | undefined, census: Register<Census>): RuleResult {
  if (user === undefined) return notApplicable;
  const known = census.expected(key, user.span);
  if (known.type === "unknown") return inconclusive(known.reason);
  if (!isSameCaller(known.value.caller, user.caller))
    return inconclusive("the previous walk may have used another token");
  if (known.value.ids.has(user.id)) return noFindings;
  return withFindings([
    { expected: "a user that the previous walk lists", actual: user.id, pointer: "/user/id", keyword: "listed" },
  ]);
}

interface UnfinishedWalk {
  readonly walk: Walk;
  readonly caller: string;
}

/** A token after a walk that lists all users of a whole one. */
function endless({ walk, caller }: UnfinishedWalk, whole: Census): readonly Finding[] {
  const isWhole = walk.ids.size > 0 && whole.ids.isSubsetOf(walk.ids);
  if (!isWhole || whole.ending !== "" || !isSameCaller(whole.caller, caller)) return [];
  const expected = "no token, since the walk lists all users of another walk";
  return [{ expected, actual: walk.nextToken, pointer: "/nextPageToken", keyword: "token" }];
}

/** Whether a release gives the page a token without further users: it has as many as requested, or as the default. */
function mayBeFull({ spec, query, responseJson }: TracedExchange): boolean {
  const size = Math.min(Number(query.get("pageSize")) || 1000, 1000);
  return spec.profile.ledger !== "spec" && listAt(responseJson, "users").length >= size;
}

/** The updated or created user, if the response shows that the default identity provider manages it. */
function userIn(traced: TracedExchange): ShownUser | undefined {
  const { status, responseJson, span } = traced;
  const id = textAt(responseJson, "user", "id");
  const isDefault = textAt(responseJson, "user", "identityProviderId") === "";
  return status === 200 && id !== undefined && isDefault ? { id, caller: callerOf(traced), span } : undefined;
}

/** Findings for users that the same caller updated or created before the walk and that the walk does not list. */
function unlisted(shown: readonly ShownUser[], { caller, ids }: Census, walk: Span): readonly Finding[] {
  return shown
    .filter((user) => isSameCaller(user.caller, caller) && isBefore(user.span, walk) && !ids.has(user.id))
    .slice(0, 5)
    .map(({ id }) => ({
      expected: `${id}, which was updated or created before`,
      actual: "missing from the walk",
      pointer: "/users",
      keyword: "updated",
      user: id,
    }));
}

function differences(before: Census, now: Census): readonly Finding[] {
  const missing = [...before.ids].filter((id) => !now.ids.has(id));
  const further = [...now.ids].filter((id) => !before.ids.has(id));
  return [
    ...missing.map((id) => ({
      expected: `${id}, as in the previous walk${before.ending}`,
      actual: `missing from the walk${now.ending}`,
      keyword: "missing",
      user: id,
    })),
    ...further.map((id) => ({
      expected: `only the users of the previous walk${before.ending}`,
      actual: `also ${id}`,
      keyword: "further",
    })),
  ]
    .slice(0, 5)
    .map((finding) => ({ ...finding, pointer: "/users" }));
}
