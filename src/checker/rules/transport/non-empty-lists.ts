import { isJsonObject } from "../../../foundation/json/json.ts";
import type { ExchangeRule } from "../rule.ts";
import { providers } from "../sample-users.ts";

export const nonEmptyLists: ExchangeRule = {
  type: "exchange",
  id: "non-empty-lists",
  section: "8",
  severity: "error",
  summary: "The list of identity provider configurations is not empty.",
  operations: ["getV2Idps"],
  appliesTo: ({ status, responseJson }) => status === 200 && isJsonObject(responseJson),
  check({ responseJson }) {
    const list = isJsonObject(responseJson) ? responseJson["identityProviderConfigs"] : undefined;
    if (!Array.isArray(list) || list.length > 0) return [];
    const expected = "at least one entry";
    return [{ expected, actual: "[]", pointer: "/identityProviderConfigs", keyword: "minItems", value: list }];
  },
  examples: {
    kept: [{ name: "one provider", ...providers }],
    broken: [{ name: "no provider", ...providers, body: '{"identityProviderConfigs":[]}' }],
  },
};
