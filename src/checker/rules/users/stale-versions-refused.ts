import { textAt } from "../members.ts";
import { noFindings, notApplicable, type TraceRule, withFindings } from "../rule.ts";
import { atVersion, listedUser, updateOf } from "../sample-users.ts";
import { versionsConcerning, watchUpdates } from "./_user-versions.ts";

const listed = (version: string) => listedUser(atVersion(version));
const update = (given: string, responded: string) => updateOf(atVersion(given), atVersion(responded));

/**
 * The spec does not say what the version does; releases reject any version but the last (Canton 3.5,
 * ApiUserManagementService.scala).
 */
export const staleVersionsRefused: TraceRule = {
  type: "trace",
  id: "stale-versions-refused",
  section: "4.2",
  severity: "error",
  inSpec: { warning: "all", because: "the spec does not say what the resource version of a request does" },
  summary: "An update with a resource version is rejected unless it is the current version of the user.",
  operations: versionsConcerning,
  assumesExclusiveUse: true,
  watch: (memories) =>
    watchUpdates(memories, ignoreOtherMembers, ({ requestJson }, { version }) => {
      const given = textAt(requestJson, "user", "metadata", "resourceVersion") ?? "";
      if (given === "") return notApplicable;
      if (withoutZeros(given) === withoutZeros(version)) return noFindings;
      const expected = `an error, since the current version is ${version}`;
      return withFindings([{ expected, actual: `200 for version ${given}`, pointer: "" }]);
    }),
  examples: {
    kept: [
      { name: "the current version", exchanges: [listed("4"), update("4", "5")] },
      { name: "no version", exchanges: [listed("4"), update("", "5")] },
    ],
    broken: [
      { isWarning: true, name: "an outdated version", exchanges: [listed("4"), update("3", "5")] },
      {
        isWarning: true,
        name: "the version before the last update",
        exchanges: [listed("4"), update("4", "5"), update("4", "6")],
      },
    ],
  },
};

function ignoreOtherMembers(): string {
  return "";
}

/** Versions are compared as numbers. */
function withoutZeros(version: string): string {
  return version.replace(/^0+(?=\d)/, "");
}
