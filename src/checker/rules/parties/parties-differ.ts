import { formatJson } from "../../../foundation/json/json.ts";
import { digestOf } from "../digest.ts";
import { memberAt, textAt } from "../members.ts";
import { noFindings, notApplicable, type TraceRule, withFindings } from "../rule.ts";
import { allocationExample } from "../sample-users.ts";
import { partiesOf } from "./allocated-party.ts";

const first = allocationExample();
const second = allocationExample({ onboardingTransactions: [{ transaction: "AA==" }] });

/** Readable onboarding transactions name their party, which the rule `allocated-party` checks. */
export const partiesDiffer: TraceRule = {
  type: "trace",
  id: "parties-differ",
  section: "4.2",
  severity: "error",
  summary: "Different onboarding transactions do not allocate the same party.",
  operations: [first.operationId],
  assumesExclusiveUse: false,
  watch(memories) {
    const allocated = memories.map<string>();
    return {
      ends(traced) {
        const { operation, status, requestJson, responseJson } = traced;
        const party = textAt(responseJson, "partyId");
        const transactions = memberAt(requestJson, "onboardingTransactions");
        if (operation.operationId !== first.operationId || status !== 200 || transactions === undefined)
          return notApplicable;
        if (party === undefined) return notApplicable;
        const onboarding = digestOf(formatJson(transactions));
        const before = allocated.get(party);
        if (before === undefined) allocated.set(party, onboarding);
        if (before === undefined || before === onboarding || partiesOf(traced) !== undefined) return noFindings;
        const actual = `${party}, which other onboarding transactions allocated`;
        return withFindings([{ expected: "another party", actual, pointer: "/partyId" }]);
      },
    };
  },
  examples: {
    kept: [
      { name: "one onboarding, sent twice", exchanges: [first, first] },
      { name: "two parties", exchanges: [first, { ...second, body: '{"partyId":"bob::1220ab"}' }] },
    ],
    broken: [{ name: "one party for two onboardings", exchanges: [first, second] }],
  },
};
