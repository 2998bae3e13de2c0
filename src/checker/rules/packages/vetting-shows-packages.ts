import { isJsonObject } from "../../../foundation/json/json.ts";
import { vettingOperations } from "../_vetting.ts";
import type { ExchangeRule } from "../rule.ts";
import { vetting } from "../sample-vetting.ts";

/** The spec shows neither the name of the member nor those of a VettedPackages value. */
export const vettingShowsPackages: ExchangeRule = {
  type: "exchange",
  id: "vetting-shows-packages",
  section: "4.2",
  severity: "error",
  summary: "The response to vetting has a VettedPackages value.",
  operations: [...vettingOperations],
  yieldsTo: ["body-schema", "success-is-no-error"],
  appliesTo: ({ status, responseJson }) => status === 200 && responseJson !== undefined,
  check({ responseJson }) {
    if (isJsonObject(responseJson) && Object.keys(responseJson).length > 0) return [];
    return [{ expected: "a VettedPackages value", actual: "none", pointer: "", keyword: "required" }];
  },
  examples: {
    kept: [
      { ...vetting, name: "a value", body: '{"newVettedPackages":{"packages":[]}}' },
      { ...vetting, name: "a bare value" },
    ],
    broken: [{ ...vetting, name: "an object without members", body: "{}" }],
  },
};
