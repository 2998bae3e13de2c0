import type { CheckedExchange } from "../../rules/rule.ts";
import { executeExample } from "../_samples.ts";
import type { ClientRule } from "../client-rule.ts";

const execution = executeExample("YQ==", "s");
const allocation = {
  operationId: "postV2PartiesExternalAllocate",
  target: "/v2/parties/external/allocate",
  requestBody: { synchronizer: "s::1220ab", onboardingTransactions: [{ signatures: [] }] },
  status: 200,
  body: '{"partyId":"alice::1220ab"}',
} as const;
const shortened = { ...execution, requestBody: { preparedTransaction: "YQ==", submissionId: "s" } };

/** What is refused needs no further word; a release fills defaults in where a required member is missing. */
export const requiredMembersSent: ClientRule = {
  type: "exchange",
  id: "required-members-sent",
  section: "2",
  severity: "error",
  sentence: "Required means the field must be present in the request or is always present in the response.",
  summary: "A request has all members that are required, where a node takes it without them too.",
  why: "Releases fill in defaults for many members that are required, and differ in which. A request that one of them takes is refused by the next.",
  advice: "Send the member, with its empty value where there is nothing to say.",
  appliesTo: ({ operation, requestJson, status }) =>
    !operation.isAdditional && operation.requestSchema !== undefined && requestJson !== undefined && isTaken(status),
  check: (checked) =>
    missingIn(checked).map((pointer) => ({ expected: `a member ${pointer.slice(1)}`, actual: "nothing", pointer })),
  examplesIn: "canton-3.5",
  examples: {
    kept: [
      { ...execution, name: "all of them" },
      { ...allocation, name: "a member within a member, of which the spec shows none to be required" },
      { ...shortened, name: "a refusal", status: 400, contentType: "text/plain", body: '"Invalid value for: body"' },
      { ...shortened, name: "a proxy that sends elsewhere", status: 300, contentType: "text/html", body: "" },
      { ...shortened, name: "a connection that broke", status: 0, body: "" },
    ],
    broken: [{ ...shortened, name: "no signatures" }],
  },
};

function isTaken(status: number): boolean {
  return status >= 200 && status < 300;
}

/** Members of the request itself: of what is inside them the spec shows no required ones. */
function missingIn({ spec, operation, requestJson }: CheckedExchange): readonly string[] {
  if (operation.requestSchema === undefined || requestJson === undefined) return [];
  return spec.validate[operation.api](operation.requestSchema, requestJson)
    .filter(({ keyword, pointer }) => keyword === "required" && /^\/[^/]+$/.test(pointer))
    .map(({ pointer }) => pointer);
}
