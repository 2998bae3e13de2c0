import { isJsonObject } from "../../../foundation/json/json.ts";
import { vettingOperations } from "../_vetting.ts";
import type { ExchangeRule } from "../rule.ts";

const vetting = {
  operationId: "postV2Package-vetting",
  target: "/v2/package-vetting",
  requestBody: { changes: [{}] },
  status: 200,
} as const;

/** The spec shows neither the name of the member nor those of a VettedPackages value. */
export const vettingShowsPackages: ExchangeRule = {
  type: "exchange",
  id: "vetting-shows-packages",
  section: "4.2",
  severity: "error",
  summary: "The response to vetting has a VettedPackages value.",
  operations: [...vettingOperations],
  yieldsTo: ["body-schema", "success-is-no-error"],
  appliesTo: ({ operation, status, responseJson }) =>
    vettingOperations.has(operation.operationId) && status === 200 && responseJson !== undefined,
  check({ responseJson }) {
    if (isJsonObject(responseJson) && Object.keys(responseJson).length > 0) return [];
    return [{ expected: "a VettedPackages value", actual: "none", pointer: "", keyword: "required" }];
  },
  examples: {
    kept: [
      { ...vetting, name: "a value", body: '{"newVettedPackages":{"packages":[]}}' },
      { ...vetting, name: "a bare value", body: '{"packages":[]}' },
    ],
    broken: [{ ...vetting, name: "an object without members", body: "{}" }],
  },
};
