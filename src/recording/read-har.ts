import type { Exchange } from "../http/exchange.ts";
import type { HeaderList } from "../http/header.ts";
import { isJsonObject, type Json, type JsonObject, parseJson } from "../http/json.ts";

export type HarResult =
  | { readonly type: "read"; readonly exchanges: readonly Exchange[] }
  | { readonly type: "mistaken"; readonly problem: string };

const encoder = new TextEncoder();

/** Reads HAR 1.2, also of browsers and proxies: base64 bodies, missing bodies, pseudo-headers. Status 0 is a broken answer. */
export function readHar(text: string): HarResult {
  let har: Json;
  try {
    har = parseJson(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { type: "mistaken", problem: `it is not JSON: ${error.message}` };
  }
  const log = isJsonObject(har) ? har["log"] : undefined;
  const entries = isJsonObject(log) ? log["entries"] : undefined;
  if (!Array.isArray(entries)) return { type: "mistaken", problem: "it has no log.entries" };
  return { type: "read", exchanges: entries.map((entry) => exchangeOf(object(entry))) };
}

function exchangeOf(entry: JsonObject): Exchange {
  const request = object(entry["request"]);
  const response = object(entry["response"]);
  const url = string(request["url"]);
  const headers = headersOf(request["headers"]);
  const host = /^https?:\/\/([^/?]*)/i.exec(url)?.[1];
  const hasHost = headers.some(([name]) => name.toLowerCase() === "host");
  return {
    startedAt: string(entry["startedDateTime"]),
    durationMs: typeof entry["time"] === "number" ? entry["time"] : 0,
    request: {
      method: string(request["method"]).toUpperCase(),
      target: url,
      headers: hasHost || host === undefined ? headers : [...headers, ["Host", host]],
      body: encoder.encode(string(object(request["postData"])["text"])),
    },
    answer:
      typeof response["status"] === "number" && response["status"] > 0
        ? {
            type: "response",
            status: response["status"],
            headers: responseHeaders(response),
            body: bodyOf(object(response["content"])),
          }
        : { type: "broken", kind: "reset" },
  };
}

/** Some recorders name the media type with the content only. */
function responseHeaders(response: JsonObject): HeaderList {
  const headers = headersOf(response["headers"]);
  const mimeType = string(object(response["content"])["mimeType"]);
  const isNamed = headers.some(([name]) => name.toLowerCase() === "content-type");
  return isNamed || mimeType === "" ? headers : [...headers, ["Content-Type", mimeType]];
}

function bodyOf(content: JsonObject): Uint8Array {
  const text = string(content["text"]);
  if (content["encoding"] !== "base64") return encoder.encode(text);
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return encoder.encode(text);
  }
}

function headersOf(value: Json | undefined): HeaderList {
  const pairs = Array.isArray(value) ? value.map(object) : [];
  return pairs
    .map(({ name, value: text }) => [string(name), string(text)] as const)
    .filter(([name]) => name !== "" && !name.startsWith(":"));
}

function object(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

function string(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}
