import { noFindings, notApplicable, type TraceRule, withFindings } from "../rule.ts";
import { atVersion, listedUser, updateOf } from "../sample-users.ts";
import { changeableDigests, versionsConcerning, watchUpdates } from "./_user-versions.ts";

const listed = listedUser({ isDeactivated: false, ...atVersion("4") });
const update = (isDeactivated: boolean, version: string) =>
  updateOf({ isDeactivated }, { isDeactivated, ...atVersion(version) });

/**
 * The spec defines the effect on the version only for grants; releases change it with every update (Canton 3.5,
 * ApiUserManagementService.scala).
 */
export const updatesRenewVersion: TraceRule = {
  type: "trace",
  id: "updates-renew-version",
  section: "3",
  severity: "error",
  inSpec: { warning: "all", because: "the spec defines the effect on the version only for grants" },
  summary: "An update that changes a user changes its resource version.",
  operations: versionsConcerning,
  assumesExclusiveUse: true,
  watch: (memories) =>
    watchUpdates(memories, changeableDigests(), (_, before, now) => {
      if (now === undefined || now.rest === before.rest) return notApplicable;
      if (now.version !== before.version) return noFindings;
      const expected = `a version other than ${before.version}`;
      const actual = `${now.version} for a changed user`;
      return withFindings([{ expected, actual, pointer: "/user/metadata/resourceVersion" }]);
    }),
  examples: {
    kept: [
      { name: "a new version after a change", exchanges: [listed, update(true, "5")] },
      { name: "an update that changes nothing", exchanges: [listed, update(false, "4")] },
    ],
    broken: [{ isWarning: true, name: "the old version after a change", exchanges: [listed, update(true, "4")] }],
  },
};
