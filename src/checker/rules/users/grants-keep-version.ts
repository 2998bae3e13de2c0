import type { Json } from "../../../foundation/json/json.ts";
import { memberAt, textAt } from "../members.ts";
import { failedWrite, Register } from "../register.ts";
import {
  inconclusive,
  notApplicable,
  type RuleResult,
  type TracedExchange,
  type TraceRule,
  withFindings,
} from "../rule.ts";
import { atVersion, grant, listedUser, updateOf } from "../sample-users.ts";
import { shownUsers, usersShowing } from "./_user-attributes.ts";

const update = (version: string) => updateOf({}, atVersion(version));
const listed = (version: string) => listedUser(atVersion(version));

interface Version {
  readonly version: string;
  /** Whether a grant happened since the version was shown. */
  readonly isGrantedSince: boolean;
}

/** The spec says nothing about revocations. */
const writes: ReadonlySet<string> = new Set([
  "patchV2UsersUser-idRights",
  "patchV2UsersUser-id",
  "deleteV2UsersUser-id",
  "patchV2UsersUser-idIdentity-provider-id",
]);

export const grantsKeepVersion: TraceRule = {
  type: "trace",
  id: "grants-keep-version",
  section: "3",
  severity: "error",
  summary: "Granting rights does not change the resource version of the user.",
  operations: [grant.operationId, ...writes, ...usersShowing],
  assumesExclusiveUse: true,
  watch(memories) {
    const versions = new Register<Version>(memories);
    return {
      begins({ operation, pathParameters }) {
        if (writes.has(operation.operationId)) versions.writeBegins(pathParameters["user-id"] ?? "");
      },
      ends(traced) {
        const { operation, status, span, pathParameters, responseJson } = traced;
        const id = pathParameters["user-id"] ?? "";
        if (writes.has(operation.operationId)) {
          const version = status === 200 ? versionOf(memberAt(responseJson, "user")) : undefined;
          versions.writeEnds(
            id,
            span,
            version === undefined
              ? status === 200
                ? { type: "unknown" }
                : failedWrite(status)
              : { type: "written", value: { version, isGrantedSince: false } },
          );
          return notApplicable;
        }
        if (operation.operationId === grant.operationId) {
          const known = versions.expected(id, span);
          if (status === 200 && known.type === "known")
            versions.seen(id, span, { ...known.value, isGrantedSince: true });
          return notApplicable;
        }
        return readUsers(traced, versions);
      },
    };
  },
  examples: {
    kept: [
      { name: "the same resource version after a grant", exchanges: [update("1"), grant, listed("1")] },
      {
        name: "another resource version after an update",
        exchanges: [listed("1"), grant, update("2"), grant, listed("2")],
      },
    ],
    broken: [{ name: "another resource version after a grant", exchanges: [update("1"), grant, listed("2")] }],
  },
};

function versionOf(value: Json | undefined): string | undefined {
  return textAt(value, "metadata", "resourceVersion");
}

function readUsers(traced: TracedExchange, versions: Register<Version>): RuleResult {
  const { span } = traced;
  let reason: string | undefined;
  let isLooked = false;
  const findings = shownUsers(traced).flatMap(({ user, place }) => {
    const [id, version] = [textAt(user, "id"), versionOf(user)];
    if (id === undefined || version === undefined) return [];
    const known = versions.expected(id, span);
    versions.seen(id, span, { version, isGrantedSince: false });
    if (known.type === "unknown") reason = known.reason;
    if (known.type === "unknown" || !known.value.isGrantedSince) return [];
    isLooked = true;
    if (known.value.version === version) return [];
    return [{ expected: known.value.version, actual: version, pointer: `${place}/metadata/resourceVersion` }];
  });
  if (isLooked) return withFindings(findings);
  return reason === undefined ? notApplicable : inconclusive(reason);
}
