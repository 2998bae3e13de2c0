import { Body } from "../../foundation/http/body.ts";
import { type HeaderList, headerValue, mediaTypeIn } from "../../foundation/http/header.ts";
import type { Request } from "../../foundation/http/request.ts";
import type { JsonObject } from "../../foundation/json/json.ts";
import { objectOf, objectsOf, textOf } from "../../foundation/json/members.ts";
import { bodyOfContent, headersOf, pseudoHeader } from "./har-message.ts";
import type { RecordingLimits } from "./recording-limits.ts";

/**
 * The request of an entry. Exporters differ in where they write a part: the query in `url` or only in `queryString` (Insomnia), the
 * body in `postData.text`, `postData.params` or `_content` (HTTP Toolkit), cookies in a header or only in `cookies`.
 */
export function harRequest(request: JsonObject, limits: RecordingLimits): Request {
  const method = (textOf(request["method"]) || pseudoHeader(request["headers"], ":method")).toUpperCase();
  const target = withQuery(urlOf(request), objectsOf(request["queryString"]));
  const headers = requestHeaders(request, target);
  const content = { ...objectOf(request["_content"]), ...objectOf(request["postData"]) };
  const hasText = textOf(content["text"]) !== "";
  const form = hasText ? undefined : formText(content, headers);
  const body = form === undefined ? bodyOfContent(content, headers, limits) : new Body(form);
  return { method, target, headers, body };
}

/** The URL; that of the pseudo-headers of HTTP/2 if the entry has none. */
function urlOf(request: JsonObject): string {
  const url = textOf(request["url"]);
  const pseudo = (name: string) => pseudoHeader(request["headers"], name);
  const [path, authority] = [pseudo(":path"), pseudo(":authority")];
  if (url !== "" || path === "") return url;
  return authority === "" ? path : `${pseudo(":scheme") || "https"}://${authority}${path}`;
}

/** The URL without its fragment, which clients do not send; with the query of the list, if it has none. */
export function withQuery(url: string, parameters: readonly JsonObject[]): string {
  if (!/^(?:\/|(?:https?|wss?):)/i.test(url)) return url;
  const [sent = ""] = url.split("#");
  return parameters.length === 0 || /\?./s.test(sent) ? sent : `${sent.replace("?", "")}?${queryText(parameters)}`;
}

function queryText(parameters: readonly JsonObject[]): string {
  return parameters
    .map(({ name, key, value }) => {
      const written = encodedPart(textOf(name) || textOf(key));
      return typeof value === "string" ? `${written}=${encodedPart(value)}` : written;
    })
    .join("&");
}

/** A part of a query, unless it is percent-encoded already: exporters write either form. */
export function encodedPart(text: string): string {
  const isEncoded = /%[\da-f]{2}/i.test(text) && /^(?:[\w.~!$'()*+,;:@/?-]|%[\da-f]{2})*$/i.test(text);
  return isEncoded ? text : encodeURIComponent(text.toWellFormed());
}

/** The form in `params`; undefined without any. */
export function formText({ params, mimeType }: JsonObject, headers: HeaderList): string | undefined {
  const fields = objectsOf(params);
  if (fields.length === 0) return undefined;
  const type = textOf(mimeType) || (headerValue(headers, "content-type") ?? "");
  if (mediaTypeIn(type) !== "multipart/form-data") return queryText(fields).replaceAll("%20", "+");
  const boundary = /boundary="?([^";]+)/i.exec(type)?.[1] ?? "boundary";
  const parts = fields.map(({ name, value, fileName, contentType }) => {
    const file = fileName === undefined ? "" : `; filename="${textOf(fileName)}"`;
    const partType = contentType === undefined ? "" : `Content-Type: ${textOf(contentType)}\r\n`;
    const head = `Content-Disposition: form-data; name="${textOf(name)}"${file}\r\n${partType}`;
    return `--${boundary}\r\n${head}\r\n${textOf(value)}\r\n`;
  });
  return `${parts.join("")}--${boundary}--\r\n`;
}

const hostIn = /^(?:https?|wss?):\/\/(?:[^/?#]*@)?([^/?#]*)/i;

/** Adds the host from the URL without user and password, since HTTP/2 recordings have no Host header, and cookies that are only in the list. */
function requestHeaders(request: JsonObject, url: string): HeaderList {
  const headers = headersOf(request["headers"]);
  const host = hostIn.exec(url)?.[1] || pseudoHeader(request["headers"], ":authority");
  const cookies = objectsOf(request["cookies"]).map(({ name, value }) => `${textOf(name)}=${textOf(value)}`);
  const isAdded = (name: string, value: string) => value !== "" && headerValue(headers, name) === undefined;
  const added = [
    ["Host", host],
    ["Cookie", cookies.join("; ")],
  ] as const;
  return [...headers, ...added.filter(([name, value]) => isAdded(name, value))];
}
