import type { Exchange } from "../../foundation/http/exchange.ts";
import type { HeaderList } from "../../foundation/http/header.ts";
import { isJsonObject, type Json, type JsonObject } from "../../foundation/json/json.ts";

/** Folders within folders that a collection may have. */
const foldersMax = 50;

/** Whether a file is a collection that Postman exported (format 2.0 or 2.1). */
export function isPostmanCollection(value: Json): value is JsonObject {
  const info = isJsonObject(value) ? value["info"] : undefined;
  return isJsonObject(info) && /^https:\/\/schema\.(?:get)?postman\.com\//.test(textOf(info["schema"]));
}

/**
 * The responses that were saved as examples in a collection, in its order, each with the request that it was given to.
 * Variables stand for themselves, `{{baseUrl}}` apart, which is where a target begins. There are no times.
 */
export function postmanExchanges(collection: JsonObject): readonly Exchange[] {
  return examplesIn(collection["item"], 0);
}

function examplesIn(items: Json | undefined, folders: number): readonly Exchange[] {
  if (folders > foldersMax) return [];
  return listOf(items).flatMap((item) => [
    ...listOf(item["response"]).flatMap((response) => exchangeOf(response, item["request"])),
    ...examplesIn(item["item"], folders + 1),
  ]);
}

/** An example without a status was never a response. */
function exchangeOf(response: JsonObject, ofItem: Json | undefined): readonly Exchange[] {
  const status = response["code"];
  if (typeof status !== "number" || status <= 0) return [];
  const request = isJsonObject(response["originalRequest"]) ? response["originalRequest"] : ofItem;
  const time = response["responseTime"];
  return [
    {
      startedAt: "",
      durationMs: typeof time === "number" ? time : 0,
      request: requestOf(request),
      response: {
        type: "response",
        status,
        headers: headersOf(response["header"]),
        body: bytesOf(textOf(response["body"])),
      },
    },
  ];
}

/** A request is an object, or no more than its URL. */
function requestOf(request: Json | undefined): Exchange["request"] {
  if (!isJsonObject(request)) return { method: "GET", target: targetOf(request), headers: [], body: new Uint8Array() };
  const body = isJsonObject(request["body"]) ? request["body"] : {};
  return {
    method: (textOf(request["method"]) || "GET").toUpperCase(),
    target: targetOf(request["url"]),
    headers: headersOf(request["header"]),
    body: bytesOf(body["disabled"] === true ? "" : textOf(body["raw"])),
  };
}

/** Where no host is known, a variable stands in its place. */
function targetOf(url: Json | undefined): string {
  const raw = isJsonObject(url) ? textOf(url["raw"]) : textOf(url);
  return raw.replace(/^\{\{[^{}]*\}\}/, "");
}

function headersOf(value: Json | undefined): HeaderList {
  return listOf(value)
    .filter((header) => header["disabled"] !== true)
    .map((header) => [textOf(header["key"]), textOf(header["value"])] as const)
    .filter(([name]) => name !== "");
}

function listOf(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
