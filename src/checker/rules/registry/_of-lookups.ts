import { isJsonObject } from "../../../foundation/json/json.ts";
import { contextLookups } from "../context-lookups.ts";
import type { ExchangeRule } from "../rule.ts";

/** What rules about the choice context in the response of a lookup have in common. */
export const ofLookups: Pick<ExchangeRule, "type" | "section" | "operations" | "appliesTo"> = {
  type: "exchange",
  section: "2.1",
  operations: contextLookups,
  appliesTo: ({ status, responseJson }) => status === 200 && isJsonObject(responseJson),
};
