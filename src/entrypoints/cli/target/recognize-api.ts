import type { Exchange } from "../../../foundation/http/exchange.ts";
import { mediaType } from "../../../foundation/http/header.ts";
import { isJsonObject, jsonIn } from "../../../foundation/json/json.ts";
import type { Api } from "../../../foundation/spec/contracts.ts";
import { exitCodes, UserError } from "../user-error.ts";

type HandlerResponse = Exchange["response"];

/** Members of which a response of the API, be it an error, has at least one. */
const members: Readonly<Record<Api, readonly string[]>> = {
  ledger: ["version", "identityProviderConfigs", "cause", "errorCategory"],
  registry: ["adminId", "supportedApis", "factoryId", "transferKind", "choiceContext", "error"],
};

/** Whether the response could be the API's, right or wrong. */
export function isShown(api: Api, response: HandlerResponse): boolean {
  if (response.type === "broken") return response.kind === "truncated" || response.kind === "too-large";
  const json = jsonIn(response.body);
  if (isJsonObject(json)) return members[api].some((member) => Object.hasOwn(json, member));
  return api === "ledger" && response.status === 400 && mediaType(response.headers) === "text/plain";
}

const names: Readonly<Record<Api, string>> = { ledger: "a JSON Ledger API", registry: "a token registry" };

/** Says that nobody is there who speaks the API. */
export function notShown(
  api: Api,
  baseUrl: string,
  came: readonly { readonly requested: string; readonly response: HandlerResponse }[],
): UserError {
  const told = came.map(({ requested, response }) => `${requested} ${outcomeOf(response)}`).join(", ");
  const isSilent = came.every(({ response }) => response.type === "broken");
  const advice = isSilent
    ? `Check that the ${api} runs and is ready, or give it longer with --timeout SECONDS.`
    : `Check the base URL, its path included, and what stands in front of the ${api}.`;
  const text = `${baseUrl} does not respond as ${names[api]} does: ${told}. ${advice}`;
  return new UserError(text, exitCodes.unreachable);
}

function outcomeOf(response: HandlerResponse): string {
  if (response.type === "broken") return `brought no response (${response.reason ?? response.kind})`;
  const json = jsonIn(response.body);
  const foreign = isJsonObject(json) ? " that is none of its responses" : "";
  return `got ${response.status} ${mediaType(response.headers) ?? "without a media type"}${foreign}`;
}
