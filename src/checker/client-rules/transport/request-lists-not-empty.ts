import { memberAt } from "../../rules/members.ts";
import { badRequest } from "../../rules/sample-bodies.ts";
import { allocationExample } from "../../rules/sample-users.ts";
import { vetting } from "../../rules/sample-vetting.ts";
import type { ClientRule } from "../client-rule.ts";

const lists: ReadonlyMap<string, string> = new Map([
  ["postV2PartiesExternalAllocate", "onboardingTransactions"],
  [vetting.operationId, "changes"],
]);

export const requestListsNotEmpty: ClientRule = {
  type: "exchange",
  id: "request-lists-not-empty",
  section: "8",
  severity: "error",
  sentence:
    "`onboardingTransactions` of an allocation has at least one element. `changes` of a vetting request has at least one element.",
  summary: "An allocation has onboarding transactions, and a vetting request has changes.",
  why: "Releases accept an empty list of changes and do nothing, so a missing package goes unnoticed.",
  advice: "Do not send the request if the list is empty.",
  operations: [...lists.keys()],
  appliesTo: ({ operation, requestJson }) =>
    Array.isArray(memberAt(requestJson, lists.get(operation.operationId) ?? "")),
  check({ operation, requestJson }) {
    const name = lists.get(operation.operationId) ?? "";
    const list = memberAt(requestJson, name);
    return Array.isArray(list) && list.length === 0
      ? [{ expected: "at least one element", actual: "an empty list", pointer: `/${name}` }]
      : [];
  },
  examples: {
    kept: [
      { ...vetting, name: "a change", requestBody: { changes: [{}] } },
      { ...vetting, name: "another empty list", requestBody: { changes: [{}], updateVettedPackagesForceFlags: [] } },
    ],
    broken: [
      { ...vetting, name: "no changes", requestBody: { changes: [] } },
      { ...allocationExample({ onboardingTransactions: [] }), ...badRequest, name: "no onboarding transactions" },
    ],
  },
};
