import { type Body, emptyBody } from "../../foundation/http/body.ts";
import type { Exchange } from "../../foundation/http/exchange.ts";
import { charsetIn, headerValue, mediaTypeIn } from "../../foundation/http/header.ts";
import type { Request } from "../../foundation/http/request.ts";
import { stubLimitOf } from "../../foundation/http/stub-limit.ts";
import { isJsonObject, type Json, jsonOf } from "../../foundation/json/json.ts";
import type { JsonBounds } from "../../foundation/json/json-bounds.ts";
import { limitValues } from "../../foundation/limits/limits.ts";
import type { SpecOperation } from "../../foundation/spec/operation.ts";
import type { FoundRoute } from "../../foundation/spec/router.ts";
import type { Spec } from "../../foundation/spec/spec.ts";
import { memoize } from "../../foundation/text/memoize.ts";
import { dropAlteredBodies, dropAlteredText } from "./altered-body.ts";
import { type PlacedContext, placedContext } from "./context-lookups.ts";
import { type BlobReading, readBlob } from "./read-blob.ts";
import { type PreparedReading, readPrepared } from "./read-prepared.ts";
import type { CheckedExchange, DisclosedContract, ExchangeContext, Span } from "./rule.ts";

/** Parts of an exchange that a stub has already parsed. Such an exchange is complete and unaltered. */
export interface ParsedExchange {
  readonly route?: Pick<FoundRoute, "pathParameters"> & { readonly operation: Pick<SpecOperation, "operationId"> };
  readonly request?: Json | undefined;
  readonly response?: (() => Json | undefined) | undefined;
}

/** What an exchange does not show. */
interface ReadOptions {
  readonly context?: ExchangeContext;
  readonly span?: Span | undefined;
  /** Undefined for a recorded exchange, whose bodies the recorder may have altered. */
  readonly parsed?: ParsedExchange | undefined;
}

/** Reads an exchange of this route for the rules. The status is 0 without a complete response. */
export type ReadExchange = (exchange: Exchange, route: FoundRoute<string>, options?: ReadOptions) => CheckedExchange;

/** Characters of blobs in the cache. Nearly every lookup discloses the same contracts, such as the registry's rules. */
const blobCharactersMax: number = 2 * 1024 * 1024;
/** Characters of a prepared transaction that is kept for the next rule. */
const preparedCharactersMax: number = 1024 * 1024;

/** Characters of a target whose query is remembered. A query is a part of its target, which it keeps in memory. */
const rememberedTargetMax = 1000;

/** Creates the reader of a sequence of exchanges, which parses repeated queries and blobs once. */
export function createExchangeReader(spec: Spec): ReadExchange {
  const queryOf = memoize(parseQuery);
  const disclosedOf = createDisclosedReader();
  const typeOf = memoize(parseContentType);
  const preparedOf = createPreparedReader();
  return (given, { operation, pathParameters }, { context = noContext, span, parsed } = {}) => {
    const { exchange, requestText, requestJson, responseBody, responseJson } = readBodies(given, parsed);
    const { request, response } = exchange;
    const type = response.type === "response" ? typeOf(headerValue(response.headers, "content-type") ?? "") : noType;
    return {
      exchange,
      spec,
      operation,
      pathParameters,
      query:
        request.target.length > rememberedTargetMax
          ? parseQuery(search(request.target))
          : queryOf(search(request.target)),
      status: response.type === "response" ? response.status : 0,
      mediaType: type.mediaType,
      charset: type.charset,
      responseBody,
      responseJson,
      requestText,
      requestJson,
      length: requestText.length + responseBody.storedLength,
      context,
      disclosed: disclosedOf(placedContext(operation.operationId, responseJson)),
      preparedOf,
      span,
    };
  };
}

type ContentType = Pick<CheckedExchange, "mediaType" | "charset">;

const noType: ContentType = { mediaType: undefined, charset: undefined };

function parseContentType(value: string): ContentType {
  return { mediaType: mediaTypeIn(value), charset: charsetIn(value) };
}

/** The context of an exchange whose sender supplies none. */
export const noContext: ExchangeContext = {};

/** The default limits of a stub. A request that the stub did not parse may exceed them; then it has no JSON. */
const liveBounds: JsonBounds = limitValues();

type Bodies = Pick<CheckedExchange, "exchange" | "requestText" | "requestJson" | "responseBody" | "responseJson">;

function readBodies(received: Exchange, parsed: ParsedExchange | undefined): Bodies {
  const given = readable(received);
  const wholeText = given.request.body.text();
  const requestJson = parsed?.request ?? jsonOf(wholeText, parsed === undefined ? undefined : liveBounds);
  const whole = bodyOf(given);
  const responseJson = parsed?.response?.() ?? jsonOf(whole.text());
  if (parsed !== undefined)
    return { exchange: given, requestText: wholeText, requestJson, responseBody: whole, responseJson };
  const exchange = dropAlteredBodies(given, responseJson);
  const requestText = dropAlteredText(given.request, wholeText, requestJson);
  return { exchange, requestText, requestJson, responseBody: bodyOf(exchange), responseJson };
}

/** Replaces a response that shows nothing about a node with a failed one. */
function readable(exchange: Exchange): Exchange {
  const reason = unreadableReason(exchange);
  return reason === undefined ? exchange : { ...exchange, response: { type: "broken", kind: "unexplained", reason } };
}

/** Why no rule can read a response: it comes from a limit of the stub, or a browser had it cached. */
function unreadableReason({ response }: Exchange): string | undefined {
  if (response.type !== "response" || response.status < 300) return undefined;
  if (response.status === 304) return "the client had the response cached (304); record with an empty cache";
  const limit = response.status < 400 ? undefined : stubLimitOf(response.headers);
  return limit === undefined ? undefined : `the response comes from a limit of the stub (${limit})`;
}

function bodyOf({ response }: Exchange): Body {
  return response.type === "response" ? response.body : emptyBody;
}

const nothingDisclosed: readonly DisclosedContract[] = [];

/** Reads the disclosed contracts of registry responses. A stub sends the same list again and again, which is read once. */
function createDisclosedReader(): (placed: PlacedContext | undefined) => readonly DisclosedContract[] {
  const blobOf = memoize(readBlob, blobCharactersMax);
  let [lastList, lastPointer, last] = [noList, "", nothingDisclosed];
  return (placed) => {
    const list = placed?.context["disclosedContracts"];
    if (placed === undefined || !Array.isArray(list)) return nothingDisclosed;
    if (list === lastList && placed.pointer === lastPointer) return last;
    [lastList, lastPointer, last] = [list, placed.pointer, disclosedIn(list, placed.pointer, blobOf)];
    return last;
  };
}

const noList: readonly Json[] = [];

/** The rules of an exchange read the same transaction. Its digest takes half the time of finding its text in a map. */
function createPreparedReader(): (preparedTransaction: string) => PreparedReading {
  let [lastText, last] = ["", readPrepared("")];
  return (text) => {
    if (text === lastText) return last;
    const reading = readPrepared(text);
    if (text.length <= preparedCharactersMax) [lastText, last] = [text, reading];
    return reading;
  };
}

function disclosedIn(
  list: readonly Json[],
  pointer: string,
  blobOf: (blob: string) => BlobReading,
): readonly DisclosedContract[] {
  return list.flatMap((contract, index) => {
    if (!isJsonObject(contract)) return [];
    const blob = contract["createdEventBlob"];
    const reading = blobOf(typeof blob === "string" ? blob : "");
    return [{ contract, pointer: `${pointer}/disclosedContracts/${index}`, blob: reading }];
  });
}

/** The query of a target; empty without one. */
function search(target: string): string {
  const begin = target.indexOf("?");
  return begin < 0 ? "" : target.slice(begin + 1);
}

function parseQuery(text: string): URLSearchParams {
  return new URLSearchParams(text.split("?")[0]);
}

const baseUrl = /^https?:\/\/[^/?]*/i;
const registryBegin = /\/registry\/(?:transfer-instruction|metadata|allocation(?:-instruction|s)?)\//;

const spliceBegin = /\/api\/(?:validator|scan)\//;

/** The path from `/v2/`, `/registry/` or that of a validator or scan on, since a node may have a path prefix. */
export function documentedPath(target: Request["target"]): string {
  const end = target.indexOf("?");
  const path = (end < 0 ? target : target.slice(0, end)).replace(baseUrl, "");
  const registry = path.search(registryBegin);
  const begin = registry >= 0 ? registry : path.search(spliceBegin);
  if (begin >= 0) return path.slice(begin);
  const ledger = path.indexOf("/v2/");
  return ledger >= 0 ? path.slice(ledger) : path;
}
