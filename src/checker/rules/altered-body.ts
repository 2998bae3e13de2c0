import type { Exchange } from "../../foundation/http/exchange.ts";
import { type HeaderList, headerValues, mediaType } from "../../foundation/http/header.ts";
import type { Request } from "../../foundation/http/request.ts";
import type { Json } from "../../foundation/json/json.ts";

type Message = Pick<Request, "headers" | "body">;

const lookedAtMax = 200;

/** The text of a request's body, empty where it is not what was sent: recorders cut bodies, or keep them compressed. */
export function dropAlteredText(request: Request, text: string, json: Json | undefined): string {
  if (text === "" || json !== undefined) return text;
  return encodingOf(request, text) === undefined && cutOf(request) === undefined ? text : "";
}

/**
 * The exchange without a response whose body is not what was sent. A client that asks for no encoding has to get none, so
 * that one is left to the rules. A body that is JSON is not asked for its length, which takes time.
 */
export function dropAlteredBodies(exchange: Exchange, text: string, json: Json | undefined): Exchange {
  const { request, response } = exchange;
  if (response.type === "broken" || json !== undefined) return exchange;
  const isEncodingRequested = headerValues(request.headers, "accept-encoding").length > 0;
  const encoding = isEncodingRequested ? encodingOf(response, text) : undefined;
  const reason = encoding ?? (mediaType(response.headers) === "application/json" ? cutOf(response) : undefined);
  return reason === undefined ? exchange : { ...exchange, response: { type: "broken", kind: "unexplained", reason } };
}

function encodingOf({ headers }: { readonly headers: HeaderList }, text: string): string | undefined {
  const encoding = headerValues(headers, "content-encoding")[0]?.trim().toLowerCase() ?? "identity";
  const isKept = encoding !== "identity" && hasNoText(text.slice(0, lookedAtMax));
  return isKept ? `the recording has the body as ${encoding}` : undefined;
}

function cutOf({ headers, body }: Message): string | undefined {
  const promised = Number(headerValues(headers, "content-length")[0] ?? Number.NaN);
  return promised > body.length ? `the recording has ${body.length} of ${promised} bytes of the body` : undefined;
}

/** Control characters, and what stands for bytes that are no text; JSON and the text of an error have none. */
function hasNoText(beginning: string): boolean {
  return [...beginning].some((character) => character === "\uFFFD" || (character < " " && !/\s/.test(character)));
}
