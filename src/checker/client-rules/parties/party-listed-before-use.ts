import { textOfJson } from "../../../foundation/json/json.ts";
import { baseUrlOf } from "../../rules/base-url-of.ts";
import { listAt, memberAt, textAt } from "../../rules/members.ts";
import { notApplicable, withFindings } from "../../rules/rule.ts";
import { allocationExample } from "../../rules/sample-users.ts";
import { prepareExample, refused, transfer } from "../_samples.ts";
import { preparation } from "../_submissions.ts";
import type { ClientRule } from "../client-rule.ts";

const allocation = "postV2PartiesExternalAllocate";
const party = "alice::1220ab";
const allocated = (waitForAllocation: boolean) => allocationExample({ waitForAllocation });
const listed = {
  operationId: "getV2PartiesParty",
  target: `/v2/parties/${encodeURIComponent(party)}`,
  status: 200,
  body: JSON.stringify({ partyDetails: [{ party, isLocal: true }] }),
} as const;
const tooEarly = refused(prepareExample(transfer("1.0"), "YQ=="), "UNKNOWN_SUBMITTERS", 404);

/**
 * Reports only a use that fails because the party is unknown. A consumer that waited long enough may know of the party
 * by other means.
 */
export const partyListedBeforeUse: ClientRule = {
  type: "trace",
  id: "party-listed-before-use",
  section: "4.2",
  severity: "warning",
  sentence: "If it is false, the response does not wait for the allocation.",
  summary: "After an asynchronous allocation a party acts only when the node lists it.",
  why: "The synchronizer determines how long the allocation takes. It is immediate in a test; at a real node the first submission fails now and then.",
  advice: "Allocate with `waitForAllocation: true`, or poll `GET /v2/parties/PARTY` until the node lists the party.",
  operations: [allocation, preparation, "getV2Parties", listed.operationId],
  assumesExclusiveUse: false,
  watch(memories) {
    const pending = memories.map<true>();
    return {
      ends(traced) {
        const { operation, status, requestJson, responseJson, responseBody } = traced;
        const base = baseUrlOf(traced);
        if (operation.operationId === allocation) {
          const isLeft = status === 200 && memberAt(requestJson, "waitForAllocation") === false;
          if (isLeft) pending.set(`${base} ${textAt(responseJson, "partyId") ?? ""}`, true);
          return notApplicable;
        }
        if (operation.operationId !== preparation) {
          for (const details of listAt(responseJson, "partyDetails"))
            pending.delete(`${base} ${textAt(details, "party") ?? ""}`);
          return notApplicable;
        }
        const acting = listAt(requestJson, "actAs");
        const early = acting.findIndex((actor) => pending.get(`${base} ${textOfJson(actor)}`) === true);
        if (early < 0 || status < 400 || !responseBody.text().includes("UNKNOWN_SUBMITTERS")) return notApplicable;
        const expected = "a party that the node lists";
        return withFindings([{ expected, actual: textOfJson(acting[early] ?? null), pointer: `/actAs/${early}` }]);
      },
    };
  },
  examples: {
    kept: [
      { name: "a listed party", exchanges: [allocated(false), listed, tooEarly] },
      { name: "a synchronous allocation", exchanges: [allocated(true), tooEarly] },
      {
        name: "an error for another reason",
        exchanges: [allocated(false), refused(tooEarly, "CONTRACT_NOT_FOUND", 404)],
      },
      { name: "a party that is ready in time", exchanges: [allocated(false), prepareExample(transfer("1.0"), "YQ==")] },
    ],
    broken: [{ name: "a party that the node does not list yet", exchanges: [allocated(false), tooEarly] }],
  },
};
