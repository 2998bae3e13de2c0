import { vetting } from "../../rules/sample-vetting.ts";
import type { ClientRule } from "../client-rule.ts";

const successor = "postV2Package-vettingUpdate";
/** The path of the successor in the spec; releases have it below `/v2`. */
const successorOfSpec = "postPackage-vettingUpdate";

/** Some releases do not have the successor yet (Canton, openapi.yaml of 3.4 and 3.5). */
export const deprecatedVetting: ClientRule = {
  type: "exchange",
  id: "deprecated-vetting",
  section: "9",
  severity: "warning",
  sentence:
    "`POST /v2/package-vetting` is deprecated from release 3.4 on. A later release removes it; its successor is `POST /package-vetting/update`.",
  summary: "Vetted packages are updated by the successor of POST /v2/package-vetting.",
  why: "The request fails after an upgrade to a release without the operation.",
  advice: "Send the same body to `POST /v2/package-vetting/update` if the node has it.",
  operations: [vetting.operationId, successor, successorOfSpec],
  appliesTo: ({ operation, spec }) =>
    operation.operationId !== vetting.operationId ||
    spec.operations.some(({ operationId }) => operationId === successor),
  check: ({ operation }) =>
    operation.operationId !== vetting.operationId
      ? []
      : [{ expected: "POST /v2/package-vetting/update", actual: "POST /v2/package-vetting", pointer: "" }],
  examples: {
    kept: [
      { ...vetting, name: "a request to the successor", operationId: successor, target: "/v2/package-vetting/update" },
      {
        ...vetting,
        name: "a request to the successor under the path of the spec",
        operationId: successorOfSpec,
        target: "/package-vetting/update",
      },
    ],
    broken: [{ ...vetting, name: "a request to the deprecated operation" }],
  },
};
