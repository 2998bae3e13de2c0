import { headerValues } from "../../../foundation/http/header.ts";
import { digestOf } from "../digest.ts";
import { isRedacted } from "../is-redacted.ts";
import { textAt } from "../members.ts";
import { failedWrite, Register } from "../register.ts";
import {
  type Finding,
  inconclusive,
  noFindings,
  notApplicable,
  type RuleResult,
  type TracedExchange,
  type TraceRule,
  withFindings,
} from "../rule.ts";
import { pageOfUsers } from "../sample-bodies.ts";
import { creation, update, users } from "../sample-users.ts";
import { usersChanging, Walks, walkOperations } from "./_walks.ts";

const both = { ...users, body: pageOfUsers(["a", "b"], "") };
const patch = { ...update, target: "/v2/users/c", body: '{"user":{"id":"c","identityProviderId":""}}' };

/** All users of a complete walk, and its caller. */
interface Census {
  readonly caller: string;
  readonly ids: ReadonlySet<string>;
  readonly bytes: number;
}

const key = "users";

/** Callers may see different users, so only walks with the same token are compared. */
export const pagesComplete: TraceRule = {
  type: "trace",
  id: "pages-complete",
  section: "4.2",
  severity: "error",
  summary: "The pages of a walk list all existing users, whatever the page size.",
  operations: ["patchV2UsersUser-id", ...walkOperations],
  assumesExclusiveUse: true,
  watch(memories) {
    const walks = new Walks(memories);
    const census = new Register<Census>(memories, ({ bytes }) => bytes);
    return {
      begins({ operation }) {
        if (usersChanging.has(operation.operationId)) census.writeBegins(key);
      },
      ends(traced) {
        const { operation, span } = traced;
        if (usersChanging.has(operation.operationId)) {
          census.writeEnds(key, span, traced.status === 200 ? { type: "unknown" } : failedWrite(traced.status));
          return notApplicable;
        }
        if (operation.operationId === "patchV2UsersUser-id") return missedBy(traced, census);
        const step = walks.ends(traced);
        if (step.type === "no-page") return notApplicable;
        if (step.type === "lost") return inconclusive(step.reason);
        if (step.walk.nextToken !== "") return notApplicable;
        const { ids, span: whole, bytes } = step.walk;
        const found = { caller: callerOf(traced), ids, bytes };
        const known = census.expected(key, whole);
        census.seen(key, whole, found);
        if (known.type === "unknown") return inconclusive(known.reason);
        if (!isSameCaller(known.value.caller, found.caller))
          return inconclusive("the previous walk may have used another token");
        return withFindings(differences(known.value.ids, found.ids));
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
      { name: "an updated user that the walk does not list", exchanges: [both, patch] },
    ],
  },
};

/** An updated user of the default identity provider that the previous walk does not list. */
function missedBy({ status, responseJson, span, exchange }: TracedExchange, census: Register<Census>): RuleResult {
  const id = textAt(responseJson, "user", "id");
  if (status !== 200 || id === undefined || (textAt(responseJson, "user", "identityProviderId") ?? "") !== "")
    return notApplicable;
  const known = census.expected(key, span);
  if (known.type === "unknown") return inconclusive(known.reason);
  if (!isSameCaller(known.value.caller, callerOf({ exchange })))
    return inconclusive("the previous walk may have used another token");
  if (known.value.ids.has(id)) return noFindings;
  return withFindings([
    { expected: "a user that the previous walk lists", actual: id, pointer: "/user/id", keyword: "listed" },
  ]);
}

function differences(before: ReadonlySet<string>, now: ReadonlySet<string>): readonly Finding[] {
  const missing = [...before].filter((id) => !now.has(id));
  const further = [...now].filter((id) => !before.has(id));
  return [
    ...missing.map((id) => ({
      expected: `${id}, as in the previous walk`,
      actual: "missing from the walk",
      keyword: "missing",
    })),
    ...further.map((id) => ({
      expected: "only the users of the previous walk",
      actual: `${id} too`,
      keyword: "further",
    })),
  ]
    .slice(0, 5)
    .map((finding) => ({ ...finding, pointer: "/users" }));
}

/** Without the header the caller is unknown. */
function isSameCaller(left: string, right: string): boolean {
  return left !== "" && left === right;
}

function callerOf({ exchange }: Pick<TracedExchange, "exchange">): string {
  const caller = headerValues(exchange.request.headers, "authorization").join();
  return isRedacted(caller) ? "" : digestOf(caller);
}
