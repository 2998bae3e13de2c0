import { Body, emptyBody } from "../../../src/foundation/http/body.ts";
import type { Handler } from "../../../src/foundation/http/handler.ts";
import type { Response } from "../../../src/foundation/http/response.ts";
import { isJsonObject, type Json, type JsonObject, jsonOf } from "../../../src/foundation/json/json.ts";
import { sendOverHttp } from "../../../src/transport/client/send-over-http.ts";
import { atPort } from "../../acceptance/_at-port.ts";
import { withJson } from "../_mutant.ts";
import type { Plant } from "./_plant.ts";

/** Changes every JSON response. */
function everyJson(change: (json: Json) => Json): Plant {
  return every((found) => {
    const json = jsonOf(found.body.text());
    return json === undefined || !isOfJson(found) ? found : withJson(found, change(json));
  });
}

function every(change: (response: Response) => Response): Plant {
  return (inner) => async (request) => {
    const found = await inner(request);
    return found.type === "broken" ? found : change(found);
  };
}

function isOfJson({ headers }: Response): boolean {
  return headers.some(([name, value]) => name.toLowerCase() === "content-type" && value.includes("json"));
}

/** Changes the text of every JSON response. */
function everyText(change: (text: string) => string): Plant {
  return every((found) => (isOfJson(found) ? { ...found, body: new Body(change(found.body.text())) } : found));
}

function withHeader(name: string, value: string): Plant {
  return every((found) => ({ ...found, headers: [...found.headers, [name, value]] }));
}

function withType(change: (type: string) => string): Plant {
  return every((found) => ({
    ...found,
    headers: found.headers.map(([name, value]) =>
      name.toLowerCase() === "content-type" ? [name, change(value)] : [name, value],
    ),
  }));
}

function errors(change: (error: JsonObject) => JsonObject): Plant {
  return every((found) => {
    const json = jsonOf(found.body.text());
    return found.status >= 400 && isOfJson(found) && isJsonObject(json) ? withJson(found, change(json)) : found;
  });
}

function reversed(json: Json): Json {
  if (Array.isArray(json)) return json.map(reversed);
  if (!isJsonObject(json)) return json;
  return Object.fromEntries(
    Object.entries(json)
      .toReversed()
      .map(([name, value]) => [name, reversed(value)]),
  );
}

/** Sends each response over a socket, in chunks of a few bytes. */
function throughSocket(...[inner]: Parameters<Plant>): Handler {
  let next: Response | undefined;
  const client = atPort((_, response) => {
    response.writeHead(next?.status ?? 500, next?.headers.flat());
    const bytes = next?.body.bytes() ?? new Uint8Array();
    for (let start = 0; start < bytes.length; start += chunkBytes)
      response.write(bytes.subarray(start, start + chunkBytes));
    response.end();
  }).then((url) => sendOverHttp(url));
  return async (request) => {
    const found = await inner(request);
    if (found.type === "broken") return found;
    next = found;
    return (await client)({ method: "GET", target: "/", headers: [], body: emptyBody });
  };
}

/** So few that characters of several bytes are cut. */
const chunkBytes = 5;

const allowed: readonly (readonly [id: string, plant: Plant, responseMs?: number])[] = [
  ["an additional member", everyJson((json) => (isJsonObject(json) ? { ...json, note: "x" } : json))],
  ["two additional members first", everyJson((json) => (isJsonObject(json) ? { one: 1, two: [2], ...json } : json))],
  ["members in another order", everyJson(reversed)],
  ["indented JSON", everyText((text) => JSON.stringify(JSON.parse(text), undefined, 2))],
  ["white space around JSON", everyText((text) => `\r\n\t ${text} \n`)],
  ["escaped slashes", everyText((text) => text.replaceAll("/", "\\/"))],
  ["escaped letters", everyText((text) => text.replaceAll("alice", "\\u0061lice"))],
  ["other error texts", errors((error) => ("cause" in error ? { ...error, cause: "Something else." } : error))],
  ["texts in another script", errors((error) => ("error" in error ? { ...error, error: "失敗しました" } : error))],
  ["another trace id", errors((error) => ("traceId" in error ? { ...error, traceId: "trace" } : error))],
  ["more context", errors((error) => ("code" in error ? { ...error, context: { more: "x" } } : error))],
  ["an explicit charset", withType((type) => (type === "application/json" ? `${type}; charset=utf-8` : type))],
  ["a media type in capitals", withType((type) => type.replace("application/json", "Application/JSON"))],
  ["a quoted charset", withType((type) => (type === "application/json" ? `${type}; charset="UTF-8"` : type))],
  ["a text with a charset", withType((type) => (type === "text/plain" ? `${type}; charset=utf-8` : type))],
  ["a server header", withHeader("Server", "other/1.0")],
  ["a cookie", withHeader("Set-Cookie", "a=b; Path=/")],
  ["a cache header", withHeader("Cache-Control", "no-store")],
  ["a request id", withHeader("X-Request-Id", "7")],
  ["responses in chunks", throughSocket],
  ["slow responses", (inner) => inner, 25_000],
];

/** What a server may do without breaking a sentence of the spec, and how long each response takes. */
export const oddities: readonly (readonly [id: string, plant: Plant, responseMs: number])[] = allowed.map(
  ([id, plant, responseMs = 0]) => [id, plant, responseMs],
);
