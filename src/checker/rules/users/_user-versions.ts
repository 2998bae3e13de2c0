import { formatJson, type Json } from "../../../foundation/json/json.ts";
import { memoize } from "../../../foundation/text/memoize.ts";
import { digestOf } from "../digest.ts";
import { memberAt, textAt } from "../members.ts";
import { failedWrite, Register } from "../register.ts";
import {
  inconclusive,
  type Memories,
  notApplicable,
  type RuleResult,
  type TracedExchange,
  type TraceWatch,
} from "../rule.ts";
import { annotationsOf, attributeOf, attributes, shownUsers, usersShowing } from "./_user-attributes.ts";

/** The version of a user, and a text of its other members that the rule compares. */
interface ShownUser {
  readonly version: string;
  readonly rest: string;
}

const updates = "patchV2UsersUser-id";
/** Other writes, which may change the version. */
const otherWrites: ReadonlySet<string> = new Set([
  "postV2UsersUser-idRights",
  "patchV2UsersUser-idRights",
  "deleteV2UsersUser-id",
  "patchV2UsersUser-idIdentity-provider-id",
]);

/** Operations that show or change the version of a user. */
export const versionsConcerning: readonly string[] = [updates, ...otherWrites, ...usersShowing];

/**
 * Watches successful updates of users whose previous version is known. `restOf` is called for each user in a response.
 */
export function watchUpdates(
  memories: Memories,
  restOf: (user: Json) => string,
  check: (traced: TracedExchange, before: ShownUser, now: ShownUser | undefined) => RuleResult,
): TraceWatch {
  const users = new Register<ShownUser>(memories);
  return {
    begins({ operation, pathParameters }) {
      if (operation.operationId === updates || otherWrites.has(operation.operationId))
        users.writeBegins(pathParameters["user-id"] ?? "");
    },
    ends(traced) {
      const { operation, status, span, pathParameters, responseJson } = traced;
      const id = pathParameters["user-id"] ?? "";
      const isUpdate = operation.operationId === updates;
      if (!isUpdate && !otherWrites.has(operation.operationId)) {
        for (const { user } of shownUsers(traced)) rememberUser(users, user, restOf, traced);
        return notApplicable;
      }
      const before = users.before(id, span);
      const now = isUpdate && status === 200 ? shownUser(memberAt(responseJson, "user"), restOf) : undefined;
      const left = now === undefined ? ({ type: "unknown" } as const) : ({ type: "written", value: now } as const);
      users.writeEnds(id, span, status === 200 ? left : failedWrite(status));
      if (!isUpdate || status !== 200) return notApplicable;
      return before.type === "unknown" ? inconclusive(before.reason) : check(traced, before.value, now);
    },
  };
}

function rememberUser(
  users: Register<ShownUser>,
  user: Json,
  restOf: (user: Json) => string,
  { span }: TracedExchange,
): void {
  const [id, shown] = [textAt(user, "id"), shownUser(user, restOf)];
  if (id !== undefined && shown !== undefined) users.seen(id, span, shown);
}

function shownUser(user: Json | undefined, restOf: (user: Json) => string): ShownUser | undefined {
  const version = textAt(user, "metadata", "resourceVersion") ?? "";
  return version === "" || user === undefined ? undefined : { version, rest: restOf(user) };
}

/** Gives a digest of the members that an update can change. Most users share them. */
export function changeableDigests(): (user: Json) => string {
  const digest = memoize(digestOf);
  return (user) => {
    const annotations = Object.entries(annotationsOf(user)).sort(([left], [right]) => (left < right ? -1 : 1));
    return digest(formatJson([...attributes.map((attribute) => attributeOf(user, attribute)), annotations]));
  };
}
