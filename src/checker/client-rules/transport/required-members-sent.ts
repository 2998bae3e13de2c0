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

/** Rejected requests are skipped. A release fills in defaults for missing required members. */
export const requiredMembersSent: ClientRule = {
  type: "exchange",
  id: "required-members-sent",
  section: "2",
  severity: "error",
  sentence: "A required member is in every such request or every such response.",
  summary: "A request has all required members, even if a node accepts it without them.",
  why: "Releases fill in defaults for many required members, each for different ones. A request that one release accepts may fail at the next.",
  advice: "Send the member. If it has no content and the spec allows it, send an empty value.",
  appliesTo: ({ operation, requestJson, status }) =>
    !operation.isAdditional && operation.requestSchema !== undefined && requestJson !== undefined && isTaken(status),
  check: (checked) =>
    missingIn(checked).map((pointer) => ({
      expected: `the member \`${pointer.slice(1)}\``,
      actual: "nothing",
      pointer,
    })),
  examplesIn: "canton-3.5",
  examples: {
    kept: [
      { ...execution, name: "all required members" },
      { ...allocation, name: "a missing nested member, which the spec does not require" },
      {
        ...shortened,
        name: "a rejected request",
        status: 400,
        contentType: "text/plain",
        body: '"Invalid value for: body"',
      },
      { ...shortened, name: "a redirect", status: 300, contentType: "text/html", body: "" },
      { ...shortened, name: "a broken connection", status: 0, body: "" },
    ],
    broken: [{ ...shortened, name: "no signatures" }],
  },
};

function isTaken(status: number): boolean {
  return status >= 200 && status < 300;
}

/** Missing top-level members. The spec does not mark nested members as required. */
function missingIn({ spec, operation, requestJson }: CheckedExchange): readonly string[] {
  if (operation.requestSchema === undefined || requestJson === undefined) return [];
  return spec.validate[operation.api](operation.requestSchema, requestJson)
    .filter(({ keyword, pointer }) => keyword === "required" && /^\/[^/]+$/.test(pointer))
    .map(({ pointer }) => pointer);
}
