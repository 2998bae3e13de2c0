import { baseUrlOf } from "../../rules/base-url-of.ts";
import { textAt } from "../../rules/members.ts";
import { notApplicable, withFindings } from "../../rules/rule.ts";
import { refused } from "../_samples.ts";
import type { ClientRule } from "../client-rule.ts";

const code = "PACKAGE_SERVICE_CANNOT_AUTODETECT_SYNCHRONIZER";
const vetting = {
  operationId: "postV2Package-vettingUpdate",
  target: "/v2/package-vetting/update",
  requestBody: { changes: [{ operation: {} }] },
  status: 200,
  body: "{}",
} as const;
const undecided = refused(vetting, code);

/** A request that is taken later, since the node was connected meanwhile, breaks nothing. */
export const synchronizerNamedAfterRefusal: ClientRule = {
  type: "trace",
  id: "synchronizer-named-after-refusal",
  section: "4.2",
  severity: "warning",
  sentence:
    "If unset and the participant is connected to several, the request fails with PACKAGE_SERVICE_CANNOT_AUTODETECT_SYNCHRONIZER.",
  summary: "Who was told that the node cannot choose a synchronizer names one.",
  why: "The node returns the same for as long as it is connected to several; no retry helps.",
  advice: "Ask `GET /v2/state/connected-synchronizers`, and send `synchronizerId`.",
  operations: ["postV2Package-vetting", vetting.operationId],
  assumesExclusiveUse: false,
  watch(memories) {
    const refusedBefore = memories.map<true>();
    return {
      ends(traced) {
        const { status, requestJson, responseText } = traced;
        if ((textAt(requestJson, "synchronizerId") ?? "") !== "") return notApplicable;
        const base = baseUrlOf(traced);
        if (status === 200) refusedBefore.delete(base);
        if (status !== 400 || !responseText.includes(code)) return notApplicable;
        const isAgain = refusedBefore.get(base) === true;
        refusedBefore.set(base, true);
        const expected = "a synchronizer, since the node could not choose one before";
        return withFindings(isAgain ? [{ expected, actual: "none again", pointer: "/synchronizerId" }] : []);
      },
    };
  },
  examples: {
    kept: [
      {
        name: "a refusal, and then a synchronizer",
        exchanges: [undecided, { ...vetting, requestBody: { ...vetting.requestBody, synchronizerId: "a::1220ab" } }],
      },
      {
        name: "refusals for another reason",
        exchanges: [
          undecided,
          refused(vetting, "TOPOLOGY_SERIAL_MISMATCH"),
          refused(vetting, "TOPOLOGY_SERIAL_MISMATCH"),
        ],
      },
      { name: "a node that was connected meanwhile", exchanges: [undecided, vetting, undecided] },
    ],
    broken: [{ name: "the same request again", exchanges: [undecided, undecided] }],
  },
};
