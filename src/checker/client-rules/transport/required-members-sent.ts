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

const refusal = { status: 400, contentType: "text/plain", body: '"Invalid value for: body"' } as const;
const grant = { operationId: "postV2UsersUser-idRights", target: "/v2/users/alice/rights" } as const;

/** A refused request counts too: the client left the member out. A release fills in defaults for some missing members. */
export const requiredMembersSent: ClientRule = {
  type: "exchange",
  id: "required-members-sent",
  section: "2",
  severity: "error",
  sentence: "A required member is in every such request or every such response.",
  summary: "A request has all required members, whether a node accepts it without them or not.",
  why: "Releases fill in defaults for many required members, each for different ones. A request that one release accepts may fail at the next.",
  advice: "Send the member. If it has no content and the spec allows it, send an empty value.",
  appliesTo: ({ operation, requestJson }) =>
    !operation.isAdditional && operation.requestSchema !== undefined && requestJson !== undefined,
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
      { ...execution, ...refusal, name: "a refused request with all required members" },
    ],
    broken: [
      { ...shortened, name: "no signatures" },
      { ...shortened, ...refusal, name: "no signatures in a refused request" },
      { ...grant, ...refusal, name: "a refused grant without members", requestBody: {} },
      { ...shortened, name: "no signatures before a broken connection", status: 0, body: "" },
    ],
  },
};

/** Missing top-level members. The spec does not mark nested members as required. */
function missingIn({ spec, operation, requestJson }: CheckedExchange): readonly string[] {
  if (operation.requestSchema === undefined || requestJson === undefined) return [];
  return spec.validate[operation.api](operation.requestSchema, requestJson)
    .filter(({ keyword, pointer }) => keyword === "required" && /^\/[^/]+$/.test(pointer))
    .map(({ pointer }) => pointer);
}
