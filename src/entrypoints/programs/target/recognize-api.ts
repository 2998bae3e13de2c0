import type { Exchange } from "../../../foundation/http/exchange.ts";
import { mediaType } from "../../../foundation/http/header.ts";
import { isJsonObject, jsonOf } from "../../../foundation/json/json.ts";
import type { Api } from "../../../foundation/spec/contracts.ts";
import { proxyOf } from "../../../transport/client/proxy-of.ts";
import type { ProgramCaller } from "../caller.ts";
import { exitCodes, UserError } from "../user-error.ts";

type HandlerResponse = Exchange["response"];

/** Each response of an API, also an error, has at least one of these members. */
const members: Readonly<Record<Api, readonly string[]>> = {
  ledger: ["version", "identityProviderConfigs", "cause", "errorCategory"],
  registry: ["adminId", "supportedApis", "factoryId", "transferKind", "choiceContext", "error"],
};

/** Whether the response can be from the API. It need not conform to the spec. */
export function isResponseOf(api: Api, response: HandlerResponse): boolean {
  if (response.type === "broken") return response.kind === "truncated" || response.kind === "too-large";
  const json = jsonOf(response.body.text());
  if (isJsonObject(json)) return members[api].some((member) => Object.hasOwn(json, member));
  return api === "ledger" && response.status === 400 && mediaType(response.headers) === "text/plain";
}

const names: Readonly<Record<Api, string>> = { ledger: "a JSON Ledger API", registry: "a token registry" };

/** The error for a base URL whose responses are not from the API. */
export function unknownApiError(
  api: Api,
  baseUrl: string,
  received: readonly { readonly requested: string; readonly response: HandlerResponse }[],
  { nameOf, variables }: Pick<ProgramCaller, "nameOf" | "variables">,
): UserError {
  const outcomes = received.map(({ requested, response }) => `${requested} ${outcomeOf(response)}`).join(", ");
  const isSilent = received.every(({ response }) => response.type === "broken");
  const advice = isSilent
    ? `Check that the ${api} is running and ready, or raise the limit with ${nameOf("timeout")}.`
    : `Check the base URL with its path, and any proxy in front of the ${api}.`;
  const proxy = proxyOf(new URL(baseUrl), variables);
  const way = proxy === undefined ? "" : ` The requests went through the proxy ${proxy.origin} of the environment.`;
  const text = `${baseUrl} does not respond like ${names[api]}: ${outcomes}.${way} ${advice}`;
  return new UserError(text, exitCodes.unreachable);
}

function outcomeOf(response: HandlerResponse): string {
  if (response.type === "broken") return `got no response (${response.reason ?? response.kind})`;
  const json = jsonOf(response.body.text());
  const foreign = isJsonObject(json) ? " with unknown members" : "";
  return `returned ${response.status} ${mediaType(response.headers) ?? "without a media type"}${foreign}`;
}
