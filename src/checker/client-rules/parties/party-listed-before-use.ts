import { textOfJson } from "../../../foundation/json/json.ts";
import { baseUrlOf } from "../../rules/base-url-of.ts";
import { listAt, memberAt, textAt } from "../../rules/members.ts";
import { notApplicable, withFindings } from "../../rules/rule.ts";
import { prepareExample, refused, transfer } from "../_samples.ts";
import { preparation } from "../_submissions.ts";
import type { ClientRule } from "../client-rule.ts";

const allocation = "postV2PartiesExternalAllocate";
const party = "alice::1220ab";
const allocated = (waitForAllocation: boolean) => ({
  operationId: allocation,
  target: "/v2/parties/external/allocate",
  requestBody: { synchronizer: "a::1220ab", onboardingTransactions: [{ transaction: "YQ==" }], waitForAllocation },
  status: 200,
  body: JSON.stringify({ partyId: party }),
});
const listed = {
  operationId: "getV2PartiesParty",
  target: `/v2/parties/${encodeURIComponent(party)}`,
  status: 200,
  body: JSON.stringify({ partyDetails: [{ party, isLocal: true }] }),
} as const;
const tooEarly = refused(prepareExample(transfer("1.0"), "YQ=="), "UNKNOWN_SUBMITTERS", 404);

/** Only a use that is refused since the party is not known is found: who waited long enough may have known by other means. */
export const partyListedBeforeUse: ClientRule = {
  type: "trace",
  id: "party-listed-before-use",
  section: "4.2",
  severity: "warning",
  sentence: "When false, allocation is asynchronous.",
  summary: "A party whose allocation was not waited for acts only after the node has listed it.",
  why: "The allocation takes as long as the synchronizer takes. In a test it is over at once, and against a real node the first submission is refused now and then.",
  advice: "Allocate with `waitForAllocation: true`, or ask `GET /v2/parties/PARTY` until the party is there.",
  operations: [allocation, preparation, "getV2Parties", listed.operationId],
  assumesExclusiveUse: false,
  watch(memories) {
    const pending = memories.map<true>();
    return {
      ends(traced) {
        const { operation, status, requestJson, responseJson, responseText } = traced;
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
        if (early < 0 || status < 400 || !responseText.includes("UNKNOWN_SUBMITTERS")) return notApplicable;
        const expected = "a party that the node has listed since it was allocated";
        return withFindings([{ expected, actual: textOfJson(acting[early] ?? null), pointer: `/actAs/${early}` }]);
      },
    };
  },
  examples: {
    kept: [
      { name: "a party that was listed", exchanges: [allocated(false), listed, tooEarly] },
      { name: "an allocation that was waited for", exchanges: [allocated(true), tooEarly] },
      {
        name: "a refusal for another reason",
        exchanges: [allocated(false), refused(tooEarly, "CONTRACT_NOT_FOUND", 404)],
      },
      {
        name: "a party that was there in time",
        exchanges: [allocated(false), prepareExample(transfer("1.0"), "YQ==")],
      },
    ],
    broken: [{ name: "a party that the node does not know yet", exchanges: [allocated(false), tooEarly] }],
  },
};
