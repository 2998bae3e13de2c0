import type { ClientRule } from "../client-rule.ts";

const vetting = {
  operationId: "postV2Package-vetting",
  target: "/v2/package-vetting",
  requestBody: { changes: [{ operation: {} }] },
  status: 200,
  body: "{}",
} as const;
const successor = "postV2Package-vettingUpdate";

/** Some releases have no successor yet (Canton, openapi.yaml of 3.4 and 3.5). */
export const deprecatedVetting: ClientRule = {
  type: "exchange",
  id: "deprecated-vetting",
  section: "9",
  severity: "warning",
  sentence:
    "`POST /v2/package-vetting` has been deprecated since release 3.4. It is to be removed in a future release and replaced by `POST /package-vetting/update`.",
  summary: "Vetted packages are updated by the operation that replaces POST /v2/package-vetting.",
  why: "The request fails as soon as the node is a release that has removed it.",
  advice: "Send the same body to `POST /v2/package-vetting/update`, where the node has it.",
  operations: [vetting.operationId, successor],
  appliesTo: ({ operation, spec }) =>
    operation.operationId === successor || spec.operations.some(({ operationId }) => operationId === successor),
  check: ({ operation }) =>
    operation.operationId === successor
      ? []
      : [{ expected: "POST /v2/package-vetting/update", actual: "POST /v2/package-vetting", pointer: "" }],
  examples: {
    kept: [{ ...vetting, name: "the successor", operationId: successor, target: "/v2/package-vetting/update" }],
    broken: [{ ...vetting, name: "the deprecated operation" }],
  },
};
