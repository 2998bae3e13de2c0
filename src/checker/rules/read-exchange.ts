import type { Exchange } from "../../foundation/http/exchange.ts";
import { mediaType } from "../../foundation/http/header.ts";
import type { Message } from "../../foundation/http/message.ts";
import type { Request } from "../../foundation/http/request.ts";
import { isJsonObject, type Json, jsonOf } from "../../foundation/json/json.ts";
import type { FoundRoute } from "../../foundation/spec/router.ts";
import type { Spec } from "../../foundation/spec/spec.ts";
import { dropAlteredBodies, dropAlteredText } from "./altered-body.ts";
import type { CreatedEvents } from "./created-events.ts";
import type { CheckedExchange, DisclosedContract, ExchangeContext, Span } from "./rule.ts";

/** The route of a request; undefined if it belongs to no operation. */
export function routeOf(spec: Spec, { request }: Exchange): FoundRoute | undefined {
  for (let path: string | undefined = documentedPath(request.target); path !== undefined; path = laterPath(path)) {
    const route = spec.route(request.method, path);
    if (route.type === "found") return route;
  }
  return undefined;
}

/** What the caller supplies to read an exchange. */
export interface ReadOptions {
  readonly context: ExchangeContext;
  readonly span: Span | undefined;
  readonly createdEvents: CreatedEvents;
}

/** Reads an exchange for the rules. The status is 0 without a complete response. */
export function readExchange(
  spec: Spec,
  { operation, pathParameters }: FoundRoute,
  recorded: Exchange,
  { context, span, createdEvents }: ReadOptions,
): CheckedExchange {
  const { request } = recorded;
  const [wholeText, wholeJson] = readText(request);
  const [responseText, responseJson] = recorded.response.type === "response" ? readText(recorded.response) : nothing;
  const exchange = dropAlteredBodies(recorded, responseText, responseJson);
  const requestText = dropAlteredText(request, wholeText, wholeJson);
  const { response: received } = exchange;
  const keptText = received.type === "response" ? responseText : "";
  return {
    exchange,
    spec,
    operation,
    pathParameters,
    query: queryOf(request.target),
    status: received.type === "response" ? received.status : 0,
    mediaType: received.type === "response" ? mediaType(received.headers) : undefined,
    responseText: keptText,
    responseJson,
    requestText,
    requestJson: wholeJson,
    length: requestText.length + keptText.length,
    context,
    disclosed: disclosedIn(responseJson, createdEvents),
    span,
  };
}

const nothingDisclosed: readonly DisclosedContract[] = [];

/** The disclosed contracts of a registry response. */
export function disclosedIn(response: Json | undefined, createdEvents: CreatedEvents): readonly DisclosedContract[] {
  const context = isJsonObject(response) ? response["choiceContext"] : undefined;
  const list = isJsonObject(context) ? context["disclosedContracts"] : undefined;
  if (!Array.isArray(list)) return nothingDisclosed;
  return list.flatMap((contract, index) => {
    if (!isJsonObject(contract)) return [];
    const blob = contract["createdEventBlob"];
    const reading = createdEvents.read(typeof blob === "string" ? blob : "");
    return [{ contract, pointer: `/choiceContext/disclosedContracts/${index}`, blob: reading }];
  });
}

const nothing = ["", undefined] as const;

function readText({ body }: Message): readonly [text: string, json: Json | undefined] {
  const text = body.text();
  return [text, jsonOf(text)];
}

/** Shared because nothing changes it and constructing one takes as long as several rules. */
const noQuery = new URLSearchParams();

export function queryOf(target: string): URLSearchParams {
  const begin = target.indexOf("?");
  return begin < 0 ? noQuery : new URLSearchParams(target.slice(begin + 1).split("?")[0]);
}

/** A path prefix may itself look like the beginning of a documented path. */
function laterPath(path: string): string | undefined {
  const next = path.indexOf("/v2/", 1);
  return next < 0 ? undefined : path.slice(next);
}

const baseUrl = /^https?:\/\/[^/?]*/i;
const registryBegin = /\/registry\/(?:transfer-instruction|metadata)\//;

/** The path from `/v2/` or `/registry/` on, since a node may have a path prefix. */
export function documentedPath(target: Request["target"]): string {
  const end = target.indexOf("?");
  const path = (end < 0 ? target : target.slice(0, end)).replace(baseUrl, "");
  const registry = path.search(registryBegin);
  if (registry >= 0) return path.slice(registry);
  const ledger = path.indexOf("/v2/");
  return ledger >= 0 ? path.slice(ledger) : path;
}
