import type { Exchange } from "../http/exchange.ts";
import type { HeaderList } from "../http/header.ts";
import { formatJson, isJsonObject, type Json, type JsonObject, parseJson } from "../http/json.ts";
import { type HarResult, readHar } from "./read-har.ts";

const encoder = new TextEncoder();

/** Reads a HAR file, or one exchange noted by hand: `{ request: { method, url, headers, body }, response: { status, headers, body } }`. */
export function readRecording(text: string): HarResult {
  const noted = notedExchange(text);
  return noted === undefined ? readHar(text) : { type: "read", exchanges: [noted] };
}

function notedExchange(text: string): Exchange | undefined {
  const value = jsonOf(text);
  if (!isJsonObject(value) || value["log"] !== undefined) return undefined;
  const { request, response } = { request: value["request"], response: value["response"] };
  if (!isJsonObject(request) || !isJsonObject(response) || typeof response["status"] !== "number") return undefined;
  return {
    startedAt: "1970-01-01T00:00:00.000Z",
    durationMs: 0,
    request: {
      method: String(request["method"] ?? "GET"),
      target: String(request["url"] ?? ""),
      headers: headersOf(request["headers"]),
      body: bodyOf(request["body"]),
    },
    answer: {
      type: "response",
      status: response["status"],
      headers: headersOf(response["headers"]),
      body: bodyOf(response["body"]),
    },
  };
}

/** A text is the body itself; anything else is its JSON. */
function bodyOf(body: Json | undefined): Uint8Array {
  if (body === undefined) return new Uint8Array();
  return encoder.encode(typeof body === "string" ? body : formatJson(body));
}

function headersOf(headers: Json | undefined): HeaderList {
  const named: JsonObject = isJsonObject(headers) ? headers : {};
  return Object.entries(named).map(([name, value]) => [name, String(value)]);
}

function jsonOf(text: string): Json | undefined {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
