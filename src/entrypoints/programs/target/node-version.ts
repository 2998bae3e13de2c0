import type { Exchange } from "../../../foundation/http/exchange.ts";
import { isJsonObject, jsonOf } from "../../../foundation/json/json.ts";

/** The version in a response to `GET /v2/version`; undefined for another response. */
export function versionIn(response: Exchange["response"]): string | undefined {
  const json = response.type === "response" && response.status === 200 ? jsonOf(response.body.text()) : undefined;
  const version = isJsonObject(json) ? json["version"] : undefined;
  return typeof version === "string" ? version : undefined;
}
