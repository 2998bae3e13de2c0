import { isSameJson, type Json, type JsonObject } from "../../../foundation/json/json.ts";
import { shown } from "../_schema-findings.ts";
import { memberAt, objectAt, textAt } from "../members.ts";
import { isOfAnotherCheck } from "../probe-ids.ts";
import { failedWrite, Register } from "../register.ts";
import {
  type Finding,
  inconclusive,
  notApplicable,
  type RuleResult,
  type TracedExchange,
  type TraceRule,
  withFindings,
} from "../rule.ts";
import { listedUser, updateOf } from "../sample-users.ts";
import {
  annotationPaths,
  annotationsAfter,
  annotationsOf,
  areAnnotationsDescribed,
  attributes,
  maskPaths,
  shownAttribute,
  shownUsers,
  usersShowing,
} from "./_user-attributes.ts";

const patched = (user: JsonObject) => updateOf({ isDeactivated: true }, user);

/** A list of the updated user and another one, who has these members. */
const twoUsers = (other: JsonObject) => ({
  ...listedUser({}),
  body: JSON.stringify({ users: [{ id: "a" }, { id: "b", ...other }], nextPageToken: "" }),
});

/** The attributes that a response shows of a user, including its annotations. The spec does not say what an absent one means. */
type Attributes = Readonly<Record<string, Json>>;

const updates = "patchV2UsersUser-id";
const otherWrites: ReadonlySet<string> = new Set(["deleteV2UsersUser-id", "patchV2UsersUser-idIdentity-provider-id"]);

export const patchChangesOnlyMask: TraceRule = {
  type: "trace",
  id: "patch-changes-only-mask",
  section: "4.2",
  severity: "error",
  summary: "An update changes only the masked attributes, and later responses show the result.",
  operations: [updates, ...otherWrites, ...usersShowing],
  assumesExclusiveUse: true,
  watch(memories) {
    const users = new Register<Attributes>(memories);
    return {
      begins({ operation, pathParameters }) {
        if (operation.operationId === updates || otherWrites.has(operation.operationId))
          users.writeBegins(pathParameters["user-id"] ?? "");
      },
      ends(traced) {
        const { operation, span, pathParameters, status } = traced;
        if (operation.operationId === updates) return update(traced, users);
        if (!otherWrites.has(operation.operationId)) return readUsers(traced, users);
        const outcome = status === 200 ? ({ type: "unknown" } as const) : failedWrite(status);
        users.writeEnds(pathParameters["user-id"] ?? "", span, outcome);
        return notApplicable;
      },
    };
  },
  examples: {
    kept: [
      {
        name: "an update of one attribute",
        exchanges: [
          listedUser({ primaryParty: "p::1220ab" }),
          patched({ primaryParty: "p::1220ab", isDeactivated: true }),
          listedUser({ primaryParty: "p::1220ab", isDeactivated: true }),
        ],
      },
      {
        name: "responses that leave attributes out",
        exchanges: [
          listedUser({ primaryParty: "p::1220ab", isDeactivated: true }),
          patched({ isDeactivated: true }),
          listedUser({}),
        ],
      },
    ],
    broken: [
      {
        name: "an update of another user",
        exchanges: [
          twoUsers({ isDeactivated: false }),
          patched({ isDeactivated: true }),
          twoUsers({ isDeactivated: true }),
        ],
      },
      {
        name: "a change outside the mask",
        exchanges: [listedUser({ primaryParty: "p::1220ab" }), patched({ primaryParty: "", isDeactivated: true })],
      },
      {
        name: "another identity provider",
        exchanges: [listedUser({ identityProviderId: "" }), patched({ identityProviderId: "corporate" })],
      },
      {
        name: "an update without lasting effect",
        exchanges: [patched({ isDeactivated: true }), listedUser({ isDeactivated: false })],
      },
    ],
  },
};

const annotations = "metadata/annotations";

function attributesOf(user: Json | undefined): Attributes {
  const found: Record<string, Json> = {};
  for (const attribute of attributes) {
    const value = shownAttribute(user, attribute);
    if (value !== undefined) found[attribute.member] = value;
  }
  const provider = memberAt(user, "identityProviderId");
  if (provider !== undefined) found["identityProviderId"] = provider;
  if (objectAt(user, "metadata", "annotations") !== undefined) found[annotations] = annotationsOf(user);
  return found;
}

function update(traced: TracedExchange, users: Register<Attributes>): RuleResult {
  const { span, status, pathParameters, requestJson, responseJson } = traced;
  const key = pathParameters["user-id"] ?? "";
  const before = users.before(key, span);
  const responded = memberAt(responseJson, "user");
  if (status !== 200 || responded === undefined) {
    users.writeEnds(key, span, status === 200 ? { type: "unknown" } : failedWrite(status));
    return notApplicable;
  }
  const now = attributesOf(responded);
  users.writeEnds(key, span, { type: "written", value: now });
  if (before.type === "unknown") return inconclusive(before.reason);
  if (requestJson === undefined) return inconclusive("the recording does not show the mask");
  const paths = maskPaths(requestJson);
  const named = attributes.filter((attribute) => attribute.paths.some((path) => paths.includes(path)));
  const free = new Set(named.map(({ member }) => member));
  const isAnnotated = paths.some((path) => annotationPaths.includes(path));
  const expected = isAnnotated ? annotated(before.value, traced) : before.value;
  return withFindings(differences(expected, now, "/user", (member) => !free.has(member), key));
}

/** The spec does not say whether annotations that the request does not name stay; in releases they do. */
function annotated(before: Attributes, { spec, requestJson }: TracedExchange): Attributes {
  const { [annotations]: shownBefore, ...others } = before;
  if (shownBefore === undefined || !areAnnotationsDescribed(spec)) return others;
  const given = annotationsOf(memberAt(requestJson, "user"));
  return {
    ...before,
    [annotations]: annotationsAfter(annotationsOf({ metadata: { annotations: shownBefore } }), given),
  };
}

function readUsers(traced: TracedExchange, users: Register<Attributes>): RuleResult {
  const { span, context } = traced;
  let isLooked = false;
  const findings: Finding[] = [];
  for (const { user, place } of shownUsers(traced)) {
    const id = textAt(user, "id");
    if (id === undefined || isOfAnotherCheck(id, context)) continue;
    const [known, now] = [users.expected(id, span), attributesOf(user)];
    users.seen(id, span, now);
    if (known.type === "unknown") continue;
    isLooked = true;
    findings.push(...differences(known.value, now, place, () => true, id));
  }
  return isLooked ? withFindings(findings) : notApplicable;
}

function differences(
  expected: Attributes,
  now: Attributes,
  place: string,
  isFixed: (member: string) => boolean,
  user: string,
): readonly Finding[] {
  return Object.keys(expected)
    .filter((member) => isFixed(member) && now[member] !== undefined && !isSameJson(expected[member], now[member]))
    .map((member) => ({
      expected: `${shown(expected[member] ?? null)}, unchanged`,
      actual: shown(now[member] ?? null),
      pointer: `${place}/${member}`,
      keyword: "unchanged",
      user,
    }));
}
