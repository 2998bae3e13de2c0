import type { Exchange } from "../../foundation/http/exchange.ts";
import { type HeaderList, headerValues, mediaType } from "../../foundation/http/header.ts";
import type { Message } from "../../foundation/http/message.ts";
import type { Request } from "../../foundation/http/request.ts";
import type { Json } from "../../foundation/json/json.ts";

const sampleLengthMax = 200;

/** The text of a request's body; empty if the recorder truncated it or stored it compressed. */
export function dropAlteredText(request: Request, text: string, json: Json | undefined): string {
  if (text === "" || json !== undefined) return text;
  return encodingOf(request, text) === undefined && cutOf(request) === undefined ? text : "";
}

/**
 * Replaces a response whose body the recorder altered with a failed response. A compressed response to a client that
 * did not send Accept-Encoding stays: that is a violation of the target. A body that parses as JSON is complete, so its
 * length is not compared.
 */
export function dropAlteredBodies(exchange: Exchange, json: Json | undefined): Exchange {
  const { request, response } = exchange;
  if (response.type === "broken" || json !== undefined) return exchange;
  const isEncodingRequested = headerValues(request.headers, "accept-encoding").length > 0;
  const encoding = isEncodingRequested ? encodingOf(response, response.body.text()) : undefined;
  const reason = encoding ?? (mediaType(response.headers) === "application/json" ? cutOf(response) : undefined);
  return reason === undefined ? exchange : { ...exchange, response: { type: "broken", kind: "unexplained", reason } };
}

function encodingOf({ headers }: { readonly headers: HeaderList }, text: string): string | undefined {
  const encoding = headerValues(headers, "content-encoding")[0]?.trim().toLowerCase() ?? "identity";
  const isKept = encoding !== "identity" && hasNoText(text.slice(0, sampleLengthMax));
  return isKept ? `the recording stores the body compressed as ${encoding}` : undefined;
}

function cutOf({ headers, body }: Message): string | undefined {
  const promised = Number(headerValues(headers, "content-length")[0] ?? Number.NaN);
  // Headers without a length are common, and `size` encodes the text.
  const size = Number.isNaN(promised) ? 0 : body.size;
  return promised > size ? `the recording has ${size} of ${promised} bytes of the body` : undefined;
}

/** Whether the text has control characters or replacement characters. JSON and error texts have neither. */
function hasNoText(beginning: string): boolean {
  return [...beginning].some((character) => character === "\uFFFD" || (character < " " && !/\s/.test(character)));
}
