import type { Exchange } from "../http/exchange.ts";
import { type HeaderList, mediaType } from "../http/header.ts";
import { formatJson, isJsonObject, type Json, jsonOf } from "../http/json.ts";
import type { FoundRoute } from "../spec/router.ts";
import type { Spec } from "../spec/spec.ts";
import { CreatedEvents } from "./created-events.ts";
import { disclosedIn, queryOf, routeOf } from "./read-exchange.ts";
import type { JudgedExchange, Span } from "./rule.ts";
import { rules } from "./rules/index.ts";
import { unlistedChange } from "./unlisted-change.ts";

/** What trace rules read of an exchange, for another thread: texts without what none of them looks at. */
export interface ThinExchange {
  readonly method: string;
  readonly target: string;
  readonly requestHeaders: HeaderList;
  readonly requestText: string;
  /** 0 where no answer came whole. */
  readonly status: number;
  readonly answerHeaders: HeaderList;
  readonly answerText: string;
  /** Characters that the bodies really have. */
  readonly length: number;
}

/** The operations whose bodies a trace rule reads; those that look at all operations read errors alone. */
const watched: ReadonlySet<string> = new Set(
  rules.flatMap((rule) => (rule.type === "trace" ? (rule.operations ?? []) : [])),
);

export function thinned(judged: JudgedExchange): ThinExchange {
  const { exchange, operation, status, requestText, length } = judged;
  const { request, answer } = exchange;
  const isWatched = watched.has(operation.operationId);
  return {
    method: request.method,
    target: request.target,
    requestHeaders: request.headers,
    requestText: isWatched ? requestText : "",
    status,
    answerHeaders: answer.type === "response" ? answer.headers : [],
    answerText: isWatched || status >= 400 ? thinText(judged) : "",
    length,
  };
}

/** Blobs are most of what a registry answers, and trace rules read none. */
function thinText({ responseText, responseJson, disclosed }: JudgedExchange): string {
  if (disclosed.length === 0 || !isJsonObject(responseJson)) return responseText;
  const context = responseJson["choiceContext"];
  const list = isJsonObject(context) ? context["disclosedContracts"] : undefined;
  if (!isJsonObject(context) || !Array.isArray(list)) return responseText;
  const disclosedContracts = list.map(withoutBlob);
  return formatJson({ ...responseJson, choiceContext: { ...context, disclosedContracts } });
}

function withoutBlob(contract: Json): Json {
  return isJsonObject(contract) && Object.hasOwn(contract, "createdEventBlob")
    ? { ...contract, createdEventBlob: "" }
    : contract;
}

/** Paths whose route is remembered: many are asked for again and again. */
const routesMax = 1000;

/** Gives, for thin exchanges, what trace rules look at; undefined where an exchange leads nowhere. */
export function thickener(
  spec: Spec,
): (thin: ThinExchange, exchange: Exchange, span: Span | undefined) => JudgedExchange | undefined {
  const createdEvents = new CreatedEvents();
  const routes = new Map<string, FoundRoute | undefined>();
  const routeAgain = (exchange: Exchange): FoundRoute | undefined => {
    const { method, target } = exchange.request;
    const key = `${method} ${target.split("?", 1)[0]}`;
    if (routes.has(key)) return routes.get(key);
    if (routes.size >= routesMax) routes.clear();
    const route = routeOf(spec, exchange) ?? unlistedChange(exchange);
    routes.set(key, route);
    return route;
  };
  return (thin, exchange, span) => {
    const route = routeAgain(exchange);
    if (route === undefined) return undefined;
    const responseJson = jsonOf(thin.answerText);
    return {
      exchange,
      spec,
      operation: route.operation,
      pathParameters: route.pathParameters,
      query: queryOf(thin.target),
      status: thin.status,
      mediaType: thin.status === 0 ? undefined : mediaType(thin.answerHeaders),
      responseText: thin.answerText,
      responseJson,
      requestText: thin.requestText,
      requestJson: jsonOf(thin.requestText),
      length: thin.length,
      known: {},
      disclosed: disclosedIn(responseJson, createdEvents),
      span,
    };
  };
}
