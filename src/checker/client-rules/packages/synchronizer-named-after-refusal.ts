import { vettingOperations, vettingRequest } from "../../rules/_vetting.ts";
import { baseUrlOf } from "../../rules/base-url-of.ts";
import { textAt } from "../../rules/members.ts";
import { notApplicable, withFindings } from "../../rules/rule.ts";
import { vetting } from "../../rules/sample-vetting.ts";
import { refused } from "../_samples.ts";
import type { ClientRule } from "../client-rule.ts";

const code = "PACKAGE_SERVICE_CANNOT_AUTODETECT_SYNCHRONIZER";
const update = { ...vetting, operationId: "postV2Package-vettingUpdate", target: "/v2/package-vetting/update" };
const undecided = refused(update, code);

/** A later success without a synchronizer breaks nothing: the node's connections may have changed. */
export const synchronizerNamedAfterRefusal: ClientRule = {
  type: "trace",
  id: "synchronizer-named-after-refusal",
  section: "4.2",
  severity: "warning",
  sentence:
    "Without it a participant that is connected to several synchronizers refuses the request with PACKAGE_SERVICE_CANNOT_AUTODETECT_SYNCHRONIZER.",
  summary: "After the node reports that it cannot choose a synchronizer, the request names one.",
  why: "The node returns the same error as long as it is connected to several synchronizers. A retry does not help.",
  advice: "Get the connected synchronizers with `GET /v2/state/connected-synchronizers` and send `synchronizerId`.",
  operations: [...vettingOperations],
  assumesExclusiveUse: false,
  watch(memories) {
    const refusedBefore = memories.map<true>();
    return {
      ends(traced) {
        const { status, responseBody } = traced;
        if ((textAt(vettingRequest(traced), "synchronizerId") ?? "") !== "") return notApplicable;
        const base = baseUrlOf(traced);
        if (status === 200) refusedBefore.delete(base);
        if (status !== 400 || !responseBody.text().includes(code)) return notApplicable;
        const isRepeated = refusedBefore.get(base) === true;
        refusedBefore.set(base, true);
        const expected = "a synchronizer, since the node could not choose one";
        return withFindings(
          isRepeated ? [{ expected, actual: "no synchronizer, again", pointer: "/synchronizerId" }] : [],
        );
      },
    };
  },
  examples: {
    kept: [
      {
        name: "an error, then a request with a synchronizer",
        exchanges: [undecided, { ...update, requestBody: { changes: [{}], synchronizerId: "a::1220ab" } }],
      },
      {
        name: "errors for another reason",
        exchanges: [
          undecided,
          refused(update, "TOPOLOGY_SERIAL_MISMATCH"),
          refused(update, "TOPOLOGY_SERIAL_MISMATCH"),
        ],
      },
      { name: "a success after the error", exchanges: [undecided, update, undecided] },
    ],
    broken: [{ name: "the same request repeated", exchanges: [undecided, undecided] }],
  },
};
