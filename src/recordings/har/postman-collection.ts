import { Body, emptyBody } from "../../foundation/http/body.ts";
import type { Exchange } from "../../foundation/http/exchange.ts";
import type { HeaderList } from "../../foundation/http/header.ts";
import { isJsonObject, type Json, type JsonObject } from "../../foundation/json/json.ts";
import { objectsOf, textOf } from "../../foundation/json/members.ts";

/** Levels of nested folders in a collection. */
const foldersMax = 50;

/** Whether a file is a collection that Postman exported (format 2.0 or 2.1). */
export function isPostmanCollection(value: Json): value is JsonObject {
  const info = isJsonObject(value) ? value["info"] : undefined;
  return isJsonObject(info) && /^https:\/\/schema\.(?:get)?postman\.com\//.test(textOf(info["schema"]));
}

/**
 * The saved example responses of a collection, in order, each with its request.
 * Variables stay as they are, except a leading `{{baseUrl}}`, which is removed. There are no timestamps.
 */
export function postmanExchanges(collection: JsonObject): readonly Exchange[] {
  return examplesIn(collection["item"], 0);
}

function examplesIn(items: Json | undefined, folders: number): readonly Exchange[] {
  if (folders > foldersMax) return [];
  return objectsOf(items).flatMap((item) => [
    ...objectsOf(item["response"]).flatMap((response) => exchangeOf(response, item["request"])),
    ...examplesIn(item["item"], folders + 1),
  ]);
}

/** The exchange of an example; none if it has no status. */
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
        body: new Body(textOf(response["body"])),
      },
    },
  ];
}

/** A request is an object, or only a URL. */
function requestOf(request: Json | undefined): Exchange["request"] {
  if (!isJsonObject(request)) return { method: "GET", target: targetOf(request), headers: [], body: emptyBody };
  const body = isJsonObject(request["body"]) ? request["body"] : {};
  return {
    method: (textOf(request["method"]) || "GET").toUpperCase(),
    target: targetOf(request["url"]),
    headers: headersOf(request["header"]),
    body: new Body(body["disabled"] === true ? "" : textOf(body["raw"])),
  };
}

/** The URL without a variable in place of the host. */
function targetOf(url: Json | undefined): string {
  const raw = isJsonObject(url) ? textOf(url["raw"]) : textOf(url);
  return raw.replace(/^\{\{[^{}]*\}\}/, "");
}

function headersOf(value: Json | undefined): HeaderList {
  return objectsOf(value)
    .filter((header) => header["disabled"] !== true)
    .map((header) => [textOf(header["key"]), textOf(header["value"])] as const)
    .filter(([name]) => name !== "");
}
